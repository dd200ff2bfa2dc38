// One number per kind of failure, so that scripts can branch without reading text.
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  notAllowed: 3,
  notThere: 4,
  rejectedInput: 5,
  ranAndFailed: 6,
  refused: 7,
  noCredit: 8,
  slowDown: 9,
  time: 10,
  unreachable: 11,
  checkFailed: 12,
} as const;

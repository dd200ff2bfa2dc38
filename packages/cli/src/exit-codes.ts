// One number per kind of failure, so that scripts can branch without reading text.
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  not_allowed: 3,
  not_there: 4,
  rejected_input: 5,
  ran_and_failed: 6,
  refused: 7,
  no_credit: 8,
  slow_down: 9,
  time: 10,
  unreachable: 11,
  check_failed: 12,
  interrupted: 130,
} as const;

export type ExitKind = keyof typeof exitCodes;

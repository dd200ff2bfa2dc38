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

export function kindOfStatus(status: number): ExitKind {
  if (status === 401 || status === 403) return "not_allowed";
  if (status === 402) return "no_credit";
  if (status === 404) return "not_there";
  if (status === 429) return "slow_down";
  if (status === 502) return "ran_and_failed";
  if (status === 503) return "unreachable";
  if (status === 504) return "time";
  return status >= 400 && status < 500 ? "rejected_input" : "unexpected";
}

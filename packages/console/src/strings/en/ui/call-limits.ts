// How many calls one key may make, or one model takes.
export const callLimits = {
  perMinute: "Calls a minute",
  atOnce: "Calls at once",
  any: "any number",
  inFlight: (calls: number) => (calls === 1 ? "1 is open now" : `${calls} are open now`),
  wrong: "Enter a whole number from 1, or nothing.",
  action: "Save limits",
  saved: "Limits saved. They take effect within five seconds.",
} as const;

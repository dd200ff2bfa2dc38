// A flag that is a day or a time, as the wire wants it. Days are in UTC.
import { type ClientCall, wrongCall } from "./read-call.ts";

export function readTime(call: ClientCall, command: string, option: string): string | undefined {
  const given = call.text(option);
  if (given === undefined) return undefined;
  const at = new Date(given);
  if (/^\d{4}-\d\d-\d\d/.test(given) && !Number.isNaN(at.getTime())) return at.toISOString();
  throw wrongCall(command, [
    `--${option} is a date such as 2026-11-01 or a time such as 2026-11-01T08:00:00Z, not "${given}".`,
  ]);
}

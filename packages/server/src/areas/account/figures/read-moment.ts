// Parses a time in a body. An invalid one is refused with the name of its member.
import { Fault } from "../../../foundation/fault.ts";
import { parseMoment } from "../../../foundation/moment.ts";

export function readMoment(name: string, text: string | null): Date | null {
  if (text === null) return null;
  const moment = parseMoment(text);
  if (moment === null) throw new Fault("invalid_request", `${name} must be a time such as 2026-01-31T12:00:00.000Z.`);
  return moment;
}

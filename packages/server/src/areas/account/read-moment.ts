// A moment from the wire: RFC 3339 with a zone. What JavaScript would guess from other spellings is refused.
import { Fault } from "../../foundation/fault.ts";

const momentPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

export function readMoment(name: string, text: string | null): Date | null {
  if (text === null) return null;
  const moment = new Date(text);
  if (!momentPattern.test(text) || Number.isNaN(moment.getTime())) {
    throw new Fault("invalid_request", `${name} must be a moment like 2026-01-31T12:00:00.000Z.`);
  }
  return moment;
}

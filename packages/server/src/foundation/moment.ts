// A time from the wire: RFC 3339 with a zone, as the document's date-time format requires. Other spellings that JavaScript
// would guess at are refused, and so is a day that does not exist in the calendar: JavaScript would silently move it to the
// next month.
const momentPattern = /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

export const momentFormat = "a time such as 2026-01-01T00:00:00.000Z";

export function parseMoment(text: string): Date | null {
  if (!momentPattern.test(text) || !isDay(text.slice(0, 10))) return null;
  const moment = new Date(text);
  return isStorable(moment) ? moment : null;
}

// A zone offset can push a time beyond four-digit years, which JavaScript spells differently.
export function isStorable(moment: Date): boolean {
  return !Number.isNaN(moment.getTime()) && moment.getUTCFullYear() <= 9999;
}

export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

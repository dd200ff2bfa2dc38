import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMoment } from "./moment.ts";

test("a moment has a date, a time and a zone, whichever zone and however many places", () => {
  assert.equal(parseMoment("2026-01-31T12:00:00Z")?.toISOString(), "2026-01-31T12:00:00.000Z");
  assert.equal(parseMoment("2026-01-31T12:00:00.5+02:00")?.toISOString(), "2026-01-31T10:00:00.500Z");
  assert.equal(parseMoment("2028-02-29T00:00:00.123456789Z")?.toISOString(), "2028-02-29T00:00:00.123Z");
});

test("a day that does not exist is refused, not moved to the next month", () => {
  for (const day of ["2026-02-29", "2026-02-30", "2026-04-31", "2026-00-10", "2026-13-01"])
    assert.equal(parseMoment(`${day}T00:00:00.000Z`), null, day);
});

test("an ambiguous text is not a moment", () => {
  for (const text of ["", "2026-01-31", "2026-01-31T12:00:00", "31.01.2026", "+012026-01-31T12:00:00Z", "1"])
    assert.equal(parseMoment(text), null, text);
});

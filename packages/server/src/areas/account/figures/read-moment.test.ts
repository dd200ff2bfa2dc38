import assert from "node:assert/strict";
import { test } from "node:test";
import { readMoment } from "./read-moment.ts";

test("a moment has a date, a time and a zone", () => {
  assert.equal(readMoment("at", null), null);
  assert.equal(readMoment("at", "2026-01-31T12:00:00Z")?.toISOString(), "2026-01-31T12:00:00.000Z");
  assert.equal(readMoment("at", "2026-01-31T12:00:00.5+02:00")?.toISOString(), "2026-01-31T10:00:00.500Z");
});

test("an ambiguous text is refused", () => {
  for (const text of [
    "",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "31.01.2026",
    "2026-13-01T00:00:00Z",
    "+012026-01-31T12:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "1",
  ]) {
    assert.throws(() => readMoment("at", text), { code: "invalid_request" }, text);
  }
});

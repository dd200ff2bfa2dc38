import assert from "node:assert/strict";
import { test } from "node:test";
import { securityText } from "./security-text.ts";

test("the contact holds for 180 days from today, and names where it was read", () => {
  const text = securityText(
    "mailto:security@example.org",
    "https://atelier.example",
    new Date("2026-11-18T20:15:00.000Z"),
  );
  assert.equal(
    text,
    [
      "Contact: mailto:security@example.org",
      "Expires: 2027-05-17T00:00:00.000Z",
      "Preferred-Languages: en",
      "Canonical: https://atelier.example/.well-known/security.txt",
      "",
    ].join("\n"),
  );
});

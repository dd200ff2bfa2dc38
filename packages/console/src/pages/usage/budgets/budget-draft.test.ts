// What a person types for a budget.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, draftOf, wrongIn } from "./budget-draft.ts";

const draft = { ...draftOf(null), name: "monthly", amount: "500" };

test("a new budget counts everything in a month and stops, unless told otherwise", () => {
  assert.deepEqual(bodyOf(draft), {
    scope: "workspace",
    period: "month",
    amount: "500",
    at_limit: "stop",
    webhook_url: null,
    emails: [],
  });
});

test("addresses may be separated as people do, each counts once, and a wrong one is named", () => {
  const emails = " a@example.com, b@example.com;a@example.com\n";
  assert.deepEqual(bodyOf({ ...draft, emails }).emails, ["a@example.com", "b@example.com"]);
  assert.equal(wrongIn({ ...draft, emails }).emails, null);
  assert.match(wrongIn({ ...draft, emails: "a@example.com Ada" }).emails ?? "", /Ada/);
  assert.notEqual(
    wrongIn({ ...draft, emails: Array.from({ length: 11 }, (_, n) => `p${n}@b.example`).join() }).emails,
    null,
  );
});

test("a subject is required where the scope needs one, and never sent for the workspace", () => {
  assert.equal(wrongIn(draft).subject, null);
  for (const scope of ["key", "tag", "end_user"] as const) assert.notEqual(wrongIn({ ...draft, scope }).subject, null);
  assert.notEqual(wrongIn({ ...draft, scope: "tag", subject: "spring" }).subject, null);
  assert.equal(wrongIn({ ...draft, scope: "tag", subject: "project=spring" }).subject, null);
  assert.equal("subject" in bodyOf({ ...draft, subject: "left over" }), false);
});

test("names and amounts that the server refuses are named before they are sent", () => {
  for (const name of ["", "Monthly", "-x", "a b"]) assert.notEqual(wrongIn({ ...draft, name }).name, null, name);
  for (const amount of ["", "1e3", "01", "-1", "1.1234567"]) {
    assert.notEqual(wrongIn({ ...draft, amount }).amount, null, amount);
  }
  assert.deepEqual(Object.values(wrongIn({ ...draft, amount: "0.5" })), [null, null, null, null]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { exitCodeOf, toFailure } from "./failure.ts";

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields);

test("a usage error is exit code 2 and points at the command's help", () => {
  const failure = toFailure(withFields("", { problems: ["one", "two"] }), "keys");
  assert.equal(exitCodeOf(failure), 2);
  assert.equal(failure.message, "one\n  two");
  assert.equal(failure.hint, "atelier help keys");
});

test("a server failure keeps its code and gets the exit code of its kind", () => {
  const cases: [number, number][] = [
    [400, 5],
    [401, 3],
    [402, 8],
    [403, 3],
    [404, 4],
    [409, 5],
    [422, 5],
    [429, 9],
    [500, 1],
    [502, 6],
    [503, 11],
    [504, 10],
  ];
  for (const [status, exitCode] of cases) {
    const failure = toFailure(withFields("no", { code: "some_code", status }), "keys");
    assert.equal(exitCodeOf(failure), exitCode, String(status));
    if (status !== 500) assert.equal(failure.code, "some_code");
  }
});

test("refusals written for the operator are wrong settings, not unexpected errors", () => {
  for (const name of ["MigrationRefused", "BackupRefused", "RingUnreadable"]) {
    const failure = toFailure(withFields("Restore the file.", { name }), "serve");
    assert.equal(exitCodeOf(failure), 2);
    assert.equal(failure.stack, undefined);
  }
});

test("a taken port and an unreachable address say what to do", () => {
  const taken = toFailure(withFields("listen EADDRINUSE", { code: "EADDRINUSE" }), "serve");
  assert.equal(exitCodeOf(taken), 2);
  assert.match(taken.hint ?? "", /--port/);
  assert.equal(exitCodeOf(toFailure(withFields("", { code: "ECONNREFUSED" }), "doctor")), 11);
});

test("anything else is unexpected and keeps its stack for a report", () => {
  const failure = toFailure(new TypeError("x is not a function"), "serve");
  assert.equal(exitCodeOf(failure), 1);
  assert.match(failure.stack ?? "", /TypeError/);
  assert.equal(toFailure("text", "serve").message, "text");
});

test("every failure has a sentence, even where the error has no message", () => {
  const refused = Object.assign(new Error("", { cause: new Error("the disk is full") }), { name: "MigrationRefused" });
  assert.equal(toFailure(refused, "serve").message, "the disk is full");
  const wordless = [
    withFields("", { name: "MigrationRefused" }),
    withFields("", { problems: [] }),
    withFields("", { problems: [""] }),
    withFields("", { status: 503 }),
    withFields("", { code: "ENOENT" }),
    new AggregateError([], ""),
  ];
  for (const error of wordless) assert.match(toFailure(error, "serve").message, /\w{4}/);
});

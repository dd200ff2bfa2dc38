import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../fault.ts";
import {
  CommitUnknown,
  isBusy,
  isConnectionLoss,
  isStalePlan,
  isUniqueViolation,
  isUnstorable,
  isWorthRetrying,
} from "./database-errors.ts";

const withCode = (code: string, more: object = {}) => Object.assign(new Error("said"), { code }, more);

test("a lost connection is distinguished from a refused statement", () => {
  for (const code of ["ECONNRESET", "ENOENT", "57P01", "57P03", "08006", "53300"])
    assert.ok(isConnectionLoss(withCode(code)), code);
  for (const code of ["23505", "42P01", "22012", "57014", "40001"]) assert.ok(!isConnectionLoss(withCode(code)), code);
  assert.ok(isConnectionLoss(new Error("Connection terminated unexpectedly")));
  assert.ok(!isConnectionLoss(new Error("something else")));
  assert.ok(!isConnectionLoss("text"));
});

test("a timeout or lack of resources is distinguished from a refused statement", () => {
  for (const code of ["57014", "55P03", "53100", "53200", "58030"]) assert.ok(isBusy(withCode(code)), code);
  for (const code of ["23505", "42P01", "22012", "40001", "53300"]) assert.ok(!isBusy(withCode(code)), code);
});

test("an unstorable text is distinguished from other invalid values", () => {
  for (const code of ["22021", "22P05"]) assert.ok(isUnstorable(withCode(code)), code);
  for (const code of ["22P02", "23505", "22001"]) assert.ok(!isUnstorable(withCode(code)), code);
});

test("only what PostgreSQL gave up for another transaction is worth a retry", () => {
  assert.ok(isWorthRetrying(withCode("40001")) && isWorthRetrying(withCode("40P01")));
  assert.ok(!isWorthRetrying(withCode("23505")) && !isWorthRetrying(withCode("57P01")));
});

test("a missing or outdated prepared statement is recognised", () => {
  assert.ok(isStalePlan(withCode("26000")));
  assert.ok(isStalePlan(Object.assign(new Error("cached plan must not change result type"), { code: "0A000" })));
  assert.ok(!isStalePlan(withCode("0A000")));
});

test("a unique violation can be asked for by its index", () => {
  const thrown = withCode("23505", { constraint: "nodes_pkey" });
  assert.ok(isUniqueViolation(thrown) && isUniqueViolation(thrown, "nodes_pkey"));
  assert.ok(!isUniqueViolation(thrown, "other") && !isUniqueViolation(withCode("23503")));
});

test("an unknown outcome that nobody handles answers 503 with Retry-After", () => {
  const unknown = new CommitUnknown(new Error("reset"));
  assert.ok(unknown instanceof Fault);
  assert.deepEqual([unknown.status, unknown.retryAfterSeconds], [503, 1]);
});

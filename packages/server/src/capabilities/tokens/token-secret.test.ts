import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { requireAdminName } from "./admin-tokens.ts";
import { hashSecret, newSecret, readPresented } from "./token-secret.ts";

const secret = { kind: "secret", secret: "admin-x" };

test("a new token has 256 random bits and is never the same twice", () => {
  assert.match(newSecret("admin-"), /^admin-[A-Za-z0-9_-]{43}$/);
  assert.notEqual(newSecret("admin-"), newSecret("admin-"));
  assert.equal(hashSecret("x").length, 32);
});

for (const [headers, presented] of [
  [[], { kind: "none" }],
  [["Accept", "x-api-key"], { kind: "none" }],
  [["Authorization", "Bearer admin-x"], secret],
  [["authorization", "bearer   admin-x"], secret],
  [["X-Api-Key", "admin-x"], secret],
  [["X-API-Key", "admin-x", "Authorization", "Bearer other"], secret],
  [["X-API-Key", "", "Authorization", "Bearer admin-x"], { kind: "refused" }],
  [["X-API-Key", "a b", "Authorization", "Bearer admin-x"], { kind: "refused" }],
  [["Authorization", "Basic YWRtaW4="], { kind: "refused" }],
  [["Authorization", "Bearer"], { kind: "refused" }],
  [["Authorization", "Bearer admin-x more"], { kind: "refused" }],
  [["Authorization", `Bearer ${"x".repeat(513)}`], { kind: "refused" }],
  [["Authorization", "Bearer admin-x", "authorization", "Bearer admin-x"], { kind: "refused" }],
  [["X-API-Key", "admin-x", "x-api-key", "admin-x"], { kind: "refused" }],
] as const) {
  test(`headers ${JSON.stringify(headers).slice(0, 80)} present ${presented.kind}`, () => {
    assert.deepEqual(readPresented(headers), presented);
  });
}

test("a name is trimmed; empty, endless, invisible and the environment's names are refused", () => {
  assert.equal(requireAdminName("  deploy robot "), "deploy robot");
  for (const name of ["", "   ", "x".repeat(101), "a\u0000b", "a\nb", "a\u202Eb", "environment", " Environment "]) {
    assert.throws(() => requireAdminName(name), Fault, JSON.stringify(name));
  }
});

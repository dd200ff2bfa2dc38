import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import Type from "typebox";
import { Fault } from "./fault.ts";
import { requireValid } from "./json/schema.ts";
import { shownPath } from "./shown-path.ts";

const longName = "workflow_and_registry_requests_per_minute";
const Order = Type.Object(
  { lines: Type.Array(Type.Object({ [longName]: Type.Integer() }, { additionalProperties: false })) },
  { additionalProperties: false },
);

test("a declared name is shown whole, however long and deep", () => {
  const path = `/lines/3/${longName}`;
  assert.equal(shownPath(path, Order), path);
});

test("a short undeclared name is shown, so that a typo is found", () => {
  assert.equal(shownPath("/lines/0/colour", Order), "/lines/0/colour");
});

test("a long undeclared name may be a secret: only its beginning is shown", () => {
  for (const secret of ["", "service-", "sk-live-"].map((kind) => `${kind}${randomBytes(32).toString("base64url")}`)) {
    assert.equal(shownPath(`/lines/0/${secret}`, Order), `/lines/0/${secret.slice(0, 8)}…`);
    assert.throws(
      () => requireValid(Order, { lines: [{ [longName]: 1, [secret]: 1 }], [secret]: 1 }),
      (thrown) => thrown instanceof Fault && !JSON.stringify([thrown.message, thrown.details]).includes(secret),
    );
  }
});

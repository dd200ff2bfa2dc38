import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { formTokens } from "./form-token.ts";

const first = { id: "ring.1", secret: randomBytes(32) };
const second = { id: "ring-2", secret: randomBytes(32) };
const tokens = formTokens({ current: () => first, verifying: () => [first] });

test("a form's token is good for what it was made for and for nothing else", () => {
  const token = tokens.make("session a");
  tokens.require("session a", token);
  for (const subject of ["session b", "session a ", "sign-in link a", ""]) {
    assert.throws(() => tokens.require(subject, token), { code: "forbidden" });
  }
});

test("no other text is ever a token", () => {
  const real = tokens.make("session a");
  const near = fc
    .nat(real.length - 1)
    .map((at) => real.slice(0, at) + (real[at] === "A" ? "B" : "A") + real.slice(at + 1));
  const forged = fc.oneof(
    fc.string(),
    fc.string().map((text) => `ring.1.${text}`),
    near,
  );
  fc.assert(
    fc.property(forged, (token) => {
      assert.throws(() => tokens.require("session a", token), { code: "forbidden" });
    }),
  );
  assert.throws(() => tokens.require("session a", null), { code: "forbidden" });
});

test("after a rotation the old token is good as long as the ring verifies with its key", () => {
  const token = tokens.make("session a");
  formTokens({ current: () => second, verifying: () => [first, second] }).require("session a", token);
  const later = formTokens({ current: () => second, verifying: () => [second] });
  assert.throws(() => later.require("session a", token), { code: "forbidden" });
});

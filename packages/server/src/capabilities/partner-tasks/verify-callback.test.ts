import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { callbackWindowSeconds, verifyCallback } from "./verify-callback.ts";

const key = Buffer.from("thirty-two bytes that are a key!");
const signer = new Webhook(key.toString("base64"));
const nowMs = 1_800_000_000_000;

function signed(body: string, atMs = nowMs) {
  const at = new Date(atMs);
  return {
    bytes: Buffer.from(body),
    nowMs,
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(atMs / 1000)),
      "webhook-signature": signer.sign("msg_1", at, body),
    },
  };
}

test("a signature of the reference implementation is accepted, even as one of several", () => {
  const callback = signed('{"a":1}');
  assert.equal(verifyCallback(key, callback), "msg_1");
  const several = {
    ...callback.headers,
    "webhook-signature": `v1a,x v1,AAAA ${callback.headers["webhook-signature"]}`,
  };
  assert.equal(verifyCallback(key, { ...callback, headers: several }), "msg_1");
});

test("nothing is accepted more than five minutes early or late", () => {
  for (const offset of [-callbackWindowSeconds, callbackWindowSeconds])
    assert.equal(verifyCallback(key, signed("{}", nowMs + offset * 1000)), "msg_1");
  for (const offset of [-callbackWindowSeconds - 1, callbackWindowSeconds + 1])
    assert.equal(verifyCallback(key, signed("{}", nowMs + offset * 1000)), null);
});

test("a thousand changed callbacks fail", () => {
  const callback = signed('{"task_id":"1","status":"COMPLETED"}');
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature", "body"] as const;
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(200), fc.integer({ min: 1, max: 94 }), (name, at, by) => {
      const text = name === "body" ? callback.bytes.toString() : callback.headers[name];
      const index = at % text.length;
      const code = 33 + ((text.charCodeAt(index) - 33 + by) % 94);
      const changed = text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
      fc.pre(changed !== text);
      // In base64 the last bits of some letters do not count, and a number can have a leading zero.
      if (name === "webhook-signature")
        fc.pre(!Buffer.from(changed.slice(3), "base64").equals(Buffer.from(text.slice(3), "base64")));
      const mutated =
        name === "body"
          ? { ...callback, bytes: Buffer.from(changed) }
          : { ...callback, headers: { ...callback.headers, [name]: changed } };
      assert.equal(verifyCallback(key, mutated), null);
    }),
    { numRuns: 1000 },
  );
});

test("nothing is accepted without the headers", () => {
  assert.equal(verifyCallback(key, { headers: {}, bytes: Buffer.from("{}"), nowMs }), null);
});

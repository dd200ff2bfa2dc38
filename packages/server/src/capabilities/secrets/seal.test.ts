import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { KeyRing } from "./key-ring.ts";
import { newRing, type Ring, rotateRing, signingKey, verifyingKeys } from "./ring.ts";
import { createSealer, keyIdOf } from "./seal.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const context = { use: "webhook-secret", associatedData: "workspace 7" };

function ringAt(ring: Ring, now: Date): KeyRing {
  return {
    current(purpose) {
      const key = signingKey(ring, purpose, now);
      assert.ok(key);
      return key;
    },
    verifying: (purpose) => verifyingKeys(ring, purpose, now),
  };
}

const ring = newRing(start);
const sealer = createSealer(ringAt(ring, start));

describe("a sealed envelope", () => {
  test("opens to the very bytes, at its own place", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string(), (bytes, use, associatedData) => {
        const opened = sealer.open({ use, associatedData }, sealer.seal({ use, associatedData }, bytes));
        assert.deepEqual(opened, Buffer.from(bytes));
      }),
    );
  });

  test("does not show what it holds and is never the same twice", () => {
    const [one, two] = [sealer.seal(context, "hunter2"), sealer.seal(context, "hunter2")];
    assert.notEqual(one, two);
    assert.ok(!Buffer.from(one.split(".")[2] ?? "", "base64url").includes("hunter2"));
  });

  test("with any one bit flipped does not open", () => {
    const envelope = Buffer.from(sealer.seal(context, "a secret of some length"));
    for (let bit = 0; bit < envelope.length * 8; bit++) {
      const flipped = Buffer.from(envelope);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.equal(sealer.open(context, flipped.toString("latin1")), null, `bit ${bit}`);
    }
  });

  test("cut short anywhere, or with something behind it, does not open", () => {
    const envelope = sealer.seal(context, "x");
    for (let length = 0; length < envelope.length; length++)
      assert.equal(sealer.open(context, envelope.slice(0, length)), null);
    for (const more of [".", "A", "=", "\n", ".AAAA"]) assert.equal(sealer.open(context, envelope + more), null);
  });

  test("does not open for another use or in another place", () => {
    const envelope = sealer.seal(context, "x");
    assert.equal(sealer.open({ ...context, use: "partner-credential" }, envelope), null);
    assert.equal(sealer.open({ ...context, associatedData: "workspace 8" }, envelope), null);
    assert.equal(sealer.open({ use: "webhook-secretworkspace 7", associatedData: "" }, envelope), null);
  });

  test("does not open under a ring that lacks its key", () => {
    assert.equal(createSealer(ringAt(newRing(start), start)).open(context, sealer.seal(context, "x")), null);
  });

  test("text that is no envelope does not open", () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(sealer.open(context, text), null)));
    for (const text of ["", "v1..", "v1.a.", `v1.${ring[0]?.id}.`, "v2.a.AAAA"])
      assert.equal(sealer.open(context, text), null);
  });
});

describe("after a rotation", () => {
  const rotated = rotateRing(ring, { purposes: ["seal"], leadSeconds: 300, now: start });
  const after = createSealer(ringAt(rotated, new Date(start.getTime() + 300_000)));

  test("old envelopes open and are resealed under the new key", () => {
    const old = sealer.seal(context, "x");
    const fresh = after.reseal(context, old);
    assert.ok(fresh !== null && keyIdOf(fresh) !== keyIdOf(old));
    assert.equal(after.open(context, fresh)?.toString(), "x");
    assert.equal(after.open(context, old)?.toString(), "x");
  });

  test("an envelope under the current key stays as it is", () => {
    const envelope = after.seal(context, "x");
    assert.equal(after.reseal(context, envelope), envelope);
  });

  test("an envelope that does not open is not resealed", () => {
    assert.equal(after.reseal({ ...context, use: "other" }, sealer.seal(context, "x")), null);
  });
});

// The verifier is independent: it is the package that receivers use.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { newId } from "../../foundation/ids.ts";
import { secretText, signDelivery } from "./sign-delivery.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test("our signature verifies with the reference package under each current secret", () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), fc.string({ unit: "grapheme" }), (newer, older, text) => {
      const body = Buffer.from(JSON.stringify({ text }));
      const headers = { ...signDelivery({ id: newId(), body }, new Date(), [newer, older]) };
      for (const secret of [newer, older])
        assert.deepEqual(new Webhook(secretText(secret)).verify(body, headers), { text });
    }),
  );
});

test("one changed bit of body, id, time or signature, or another secret, does not verify", () => {
  const secret = Buffer.alloc(32, 7);
  const webhook = new Webhook(secretText(secret));
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.constantFrom("body", "webhook-id", "webhook-timestamp", "webhook-signature"),
      fc.nat(),
      (bytesGiven, part, at) => {
        const body = Buffer.from(bytesGiven);
        const headers: Record<string, string> = { ...signDelivery({ id: newId(), body }, new Date(), [secret]) };
        if (part === "body") body[at % body.length] = (body[at % body.length] ?? 0) ^ (1 << (at % 8));
        else headers[part] = changed(headers[part] ?? "", at);
        assert.throws(() => webhook.verify(body, headers, { jsonParse: false }));
      },
    ),
    { numRuns: 1_000 },
  );
  const body = Buffer.from("{}");
  const headers = { ...signDelivery({ id: "m", body }, new Date(), [Buffer.alloc(32, 8)]) };
  assert.throws(() => webhook.verify(body, headers));
});

test("an id never holds a dot, and a secret is whsec_ and 32 bytes", () => {
  assert.ok(!newId().includes("."));
  assert.match(secretText(Buffer.alloc(32)), /^whsec_[A-Za-z0-9+/]{43}=$/);
});

// Changes the text to one with a different meaning: base64 has spare bits at its end, so the last characters are left
// alone.
function changed(text: string, at: number): string {
  const index = at % Math.max(1, text.length - 3);
  const letter = text[index] === "9" ? "8" : "9";
  return `${text.slice(0, index)}${letter}${text.slice(index + 1)}`;
}

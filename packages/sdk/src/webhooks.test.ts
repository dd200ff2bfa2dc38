import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { unwrap, WebhookRefused } from "./webhooks.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two bytes ....").toString("base64")}`;
const now = 1_800_000_000_000;
const body = '{"id":"1","seed":18446744073709551615}';

function signed(changes: { time?: number; body?: string; secret?: string } = {}) {
  const time = String(changes.time ?? now / 1000);
  const key = Buffer.from((changes.secret ?? secret).slice(6), "base64");
  const signature = createHmac("sha256", key)
    .update(`msg_1.${time}.${changes.body ?? body}`)
    .digest("base64");
  return { "webhook-id": "msg_1", "webhook-timestamp": time, "webhook-signature": `v1,AAAA v1,${signature}` };
}

test("a webhook that the server signed is read, integers exact; also from Headers and bytes", async () => {
  assert.deepEqual(await unwrap(body, signed(), secret, { now }), { id: "1", seed: 18446744073709551615n });
  const bytes = new TextEncoder().encode(body);
  assert.ok(await unwrap(bytes, new Headers(signed()), ["whsec_b3RoZXI=", secret], { now }));
});

test("another body, secret, time or a missing header is refused", async () => {
  const refused = (given: Promise<unknown>) => assert.rejects(given, WebhookRefused);
  await refused(unwrap(`${body} `, signed(), secret, { now }));
  await refused(unwrap(body, signed(), "whsec_b3RoZXI=", { now }));
  await refused(unwrap(body, signed({ time: now / 1000 - 301 }), secret, { now }));
  await refused(unwrap(body, signed({ time: now / 1000 + 301 }), secret, { now }));
  await refused(unwrap(body, { ...signed(), "webhook-id": "msg_2" }, secret, { now }));
  await refused(unwrap(body, { ...signed(), "webhook-signature": undefined }, secret, { now }));
});

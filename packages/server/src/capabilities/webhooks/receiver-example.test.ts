// Runs the receiver exactly as docs/WEBHOOKS.md shows it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newId } from "../../foundation/ids.ts";
import { secretText, signDelivery } from "./sign-delivery.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../../docs/WEBHOOKS.md"), "utf8");
const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
const { verifyWebhook } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

test("the documented receiver takes what we sign, under the old secret and the new", () => {
  const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const body = Buffer.from('{"sequence":1,"text":"für"}');
  const headers = signDelivery({ id: newId(), body }, new Date(), [newer, older]);
  for (const secret of [older, newer])
    assert.deepEqual(verifyWebhook(body, headers, secretText(secret)), { sequence: 1, text: "für" });
});

test("the documented receiver refuses another secret, another body and an old delivery", () => {
  const secret = Buffer.alloc(32, 1);
  const body = Buffer.from("{}");
  const headers = signDelivery({ id: newId(), body }, new Date(), [secret]);
  assert.throws(() => verifyWebhook(body, headers, secretText(Buffer.alloc(32, 9))), /not signed/);
  assert.throws(() => verifyWebhook(Buffer.from("{ }"), headers, secretText(secret)), /not signed/);
  const old = signDelivery({ id: newId(), body }, new Date(Date.now() - 301_000), [secret]);
  assert.throws(() => verifyWebhook(body, old, secretText(secret)), /too old/);
});

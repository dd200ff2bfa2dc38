// What the partner proxy refuses: 400 with the generic body that names the field, before anything is held, sent or
// dialled.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { systemClock } from "../src/foundation/clock.ts";
import { createGuardedClient } from "../src/foundation/http/outgoing/guarded-client.ts";
import { type AppAnswer, headerOf, textOf } from "./support/app-client.ts";
import { type PartnerApp, partnerApp, pixel, promptPath, relightPath } from "./support/partner-app.ts";

let it: PartnerApp;
let connectionsBefore = 0;
before(async () => {
  it = await partnerApp();
  connectionsBefore = it.partner.connections();
});
after(() => it.close());

const skinPath = "/proxy/partner-a/v1/ai/skin-enhancer/flexible";
const imagePath = "/proxy/partner-b/prompts/image-to-video";

function assertRefused(answer: AppAnswer, field: string, what: string): void {
  assert.equal(answer.status, 400, `${what}: ${answer.status} ${answer.text}`);
  assert.match(textOf(answer.json(), "error"), /^[a-z_]+$/, what);
  assert.ok(textOf(answer.json(), "message").includes(field), `${what}: ${answer.text}`);
  assert.equal(headerOf(answer, "cache-control"), "no-store");
}

const wrong: readonly [string, object, string][] = [
  [relightPath, {}, "image"],
  [relightPath, { image: "" }, "image"],
  [relightPath, { image: 7 }, "image"],
  [relightPath, { image: null }, "image"],
  [relightPath, { image: "not base64!" }, "image"],
  [relightPath, { image: "ftp://pictures.example/1.png" }, "image"],
  [relightPath, { image: "file:///etc/passwd" }, "image"],
  [relightPath, { image: "//pictures.example/1.png" }, "image"],
  [relightPath, { image: "https://user:pass@pictures.example/1.png" }, "image"],
  [relightPath, { image: "https://pictures.example:8443/1.png" }, "image"],
  [relightPath, { image: `https://pictures.example/${"x".repeat(2100)}` }, "image"],
  [relightPath, { image: pixel, light_transfer_strength: -1 }, "light_transfer_strength"],
  [relightPath, { image: pixel, light_transfer_strength: 101 }, "light_transfer_strength"],
  [relightPath, { image: pixel, light_transfer_strength: 1.5 }, "light_transfer_strength"],
  [relightPath, { image: pixel, light_transfer_strength: "5" }, "light_transfer_strength"],
  [relightPath, { image: pixel, style: "loud" }, "style"],
  [relightPath, { image: pixel, style: "Standard" }, "style"],
  [relightPath, { image: pixel, change_background: "yes" }, "change_background"],
  [relightPath, { image: pixel, advanced_settings: { whites: 100.5 } }, "advanced_settings/whites"],
  [relightPath, { image: pixel, advanced_settings: { contrast: -0.1 } }, "advanced_settings/contrast"],
  [relightPath, { image: pixel, advanced_settings: { engine: "steam" } }, "advanced_settings/engine"],
  [relightPath, { image: pixel, advanced_settings: { transfer_light_a: "strong_mid" } }, "transfer_light_a"],
  [relightPath, { image: pixel, advanced_settings: { transfer_light_b: "low" } }, "transfer_light_b"],
  [relightPath, { image: pixel, advanced_settings: [] }, "advanced_settings"],
  [
    relightPath,
    { image: pixel, transfer_light_from_lightmap: pixel, transfer_light_from_reference_image: pixel },
    "transfer_light_from_lightmap",
  ],
  [relightPath, { image: pixel, transfer_light_from_lightmap: "http://[::1]/" }, "transfer_light_from_lightmap"],
  [relightPath, { image: pixel, webhook_url: "not a url" }, "webhook_url"],
  [relightPath, { image: pixel, webhook_url: "http://hooks.example/" }, "webhook_url"],
  [relightPath, { image: pixel, webhook_url: "https://localhost/hook" }, "webhook_url"],
  [relightPath, { image: pixel, webhook_url: 5 }, "webhook_url"],
  [skinPath, {}, "image"],
  [skinPath, { image: "http://pictures.example/1.png" }, "image"],
  [skinPath, { image: pixel, sharpen: 101 }, "sharpen"],
  [skinPath, { image: pixel, smart_grain: -1 }, "smart_grain"],
  [skinPath, { image: pixel, optimized_for: "everything" }, "optimized_for"],
  ["/proxy/partner-a/v1/ai/skin-enhancer/faithful", { image: pixel, skin_detail: 101 }, "skin_detail"],
  ["/proxy/partner-a/v1/ai/skin-enhancer/creative", { image: pixel, sharpen: 2.5 }, "sharpen"],
  [promptPath, {}, "prompt_text"],
  [promptPath, { prompt_text: "" }, "prompt_text"],
  [promptPath, { prompt_text: "x".repeat(5001) }, "prompt_text"],
  [promptPath, { prompt_text: "x", inference_params: { guidance_scale: 0.9 } }, "guidance_scale"],
  [promptPath, { prompt_text: "x", inference_params: { guidance_scale: 20.1 } }, "guidance_scale"],
  [promptPath, { prompt_text: "x", inference_params: { steps: 0 } }, "steps"],
  [promptPath, { prompt_text: "x", inference_params: { steps: 101 } }, "steps"],
  [promptPath, { prompt_text: "x", inference_params: { num_frames: 129 } }, "num_frames"],
  [promptPath, { prompt_text: "x", inference_params: { fps: 61 } }, "fps"],
  [promptPath, { prompt_text: "x", inference_params: { width: 63 } }, "width"],
  [promptPath, { prompt_text: "x", inference_params: { height: 2561 } }, "height"],
  [promptPath, { prompt_text: "x", inference_params: { negative_prompt: "x".repeat(5001) } }, "negative_prompt"],
  [promptPath, { prompt_text: "x", inference_params: { seed: 1.5 } }, "seed"],
  [promptPath, { prompt_text: "x", inference_params: { seed: 2 ** 65 } }, "seed"],
  [promptPath, { prompt_text: "x", inference_params: { use_negative_prompts: 1 } }, "use_negative_prompts"],
  [promptPath, { prompt_text: "x", image_url: pixel }, "image_url"],
  [imagePath, { prompt_text: "x" }, "image_url"],
  [imagePath, { keyframes: { 0: { image_url: "http://10.0.0.1/1.png" } } }, "keyframes.0.image_url"],
  [imagePath, { keyframes: { 0: {} } }, "keyframes"],
];

test(`${wrong.length} wrong requests are 400 and name the field`, async () => {
  for (const [path, body, field] of wrong)
    assertRefused(await it.post(path, body), field, `${path} ${JSON.stringify(body).slice(0, 100)}`);
});

test("a seed beyond 64 bits is refused by its digits", async () => {
  for (const seed of ["18446744073709551616", "-9223372036854775809", "99999999999999999999999"])
    assertRefused(await it.post(promptPath, `{"prompt_text":"x","inference_params":{"seed":${seed}}}`), "seed", seed);
});

test("invalid JSON, a duplicate key, a non-object or another content type is 400", async () => {
  for (const body of ["", "{", "[]", '"x"', '{"image":"a","image":"b"}', "\ufeff{}", `{"image":"${pixel}"} x`])
    assert.equal((await it.post(relightPath, body)).status, 400, body);
  const plain = await it.post(relightPath, `{"image":"${pixel}"}`, { "content-type": "text/plain" });
  assert.equal(plain.status, 400);
  const zipped = await it.post(relightPath, `{"image":"${pixel}"}`, { "content-encoding": "gzip" });
  assert.equal(zipped.status, 400);
});

test("a body above the cap is 413", async () => {
  const answer = await it.post(relightPath, "", { "content-length": "0" });
  assert.equal(answer.status, 400);
  const large = await it.post(relightPath, Buffer.alloc(50 * 1024 * 1024 + 1, 0x20));
  assert.equal(large.status, 413, large.text.slice(0, 200));
  assert.equal(textOf(large.json(), "error"), "payload_too_large");
});

test("unknown members pass through, and the emphasis of a prompt is never refused", async () => {
  const answer = await it.relight({ prompt: "(sun:9.9) (", brand_new: { a: 1 } });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(it.partner.submissions.at(-1)?.body.includes('"brand_new":{"a":1}'));
});

const addresses = [
  ..."0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.1.2.3".split(
    " ",
  ),
  ..."127.255.255.255 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1".split(" "),
  ..."192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255".split(
    " ",
  ),
  ..."198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255".split(" "),
  ..."192.168.1.1 172.20.10.1".split(" "),
];

function spellings(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const pair = (high: number, low: number) => (high * 256 + low).toString(16);
  return [
    address,
    String(number),
    `0x${number.toString(16)}`,
    [a, b, c, d].map((byte) => `0${byte.toString(8)}`).join("."),
    `${a}.${b * 65536 + c * 256 + d}`,
    address.replaceAll(".", "。"),
    `[::ffff:${address}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  ];
}

test("34 addresses in 8 spellings are refused at 3 sinks, and nobody is called", async () => {
  assert.equal(addresses.length, 34);
  const before = it.partner.submissions.length;
  let refused = 0;
  for (const address of addresses) {
    const tries = spellings(address).flatMap((host) => [
      ["webhook_url", it.relight({ webhook_url: `https://${host}/hook` })] as const,
      ["image", it.relight({ image: `https://${host}/1.png` })] as const,
      ["image_url", it.prompt({ image_url: `http://${host}/1.png` })] as const,
    ]);
    for (const [field, answer] of tries) {
      assertRefused(await answer, field, `${field} ${address}`);
      refused += 1;
    }
  }
  assert.equal(refused, 34 * 8 * 3);
  assert.equal(it.partner.submissions.length, before);
});

test("loopback is refused at every sink, with and without a port, even with a listener there", async () => {
  const { host } = new URL(it.partner.url);
  const connections = it.partner.connections();
  for (const url of [
    `http://${host}/x`,
    `https://${host}/x`,
    `https://localhost/x`,
    "https://[::1]/x",
    `https://${host}.`,
  ])
    for (const body of [
      { image: pixel, transfer_light_from_reference_image: url },
      { image: url },
      { image: pixel, webhook_url: url },
    ])
      assert.equal((await it.post(relightPath, body)).status, 400, url);
  assert.equal(it.partner.connections(), connections);
});

test("a name that resolves to loopback when dialled is not dialled", async () => {
  const port = Number(new URL(it.partner.url).port);
  const connections = it.partner.connections();
  for (const answers of [["127.0.0.1"], ["::1"], ["93.184.216.34", "127.0.0.1"], ["10.0.0.1"]]) {
    const client = createGuardedClient({
      policy: { allowHttp: true, ports: [port] },
      clock: systemClock,
      resolve: async () => answers,
    });
    for (let tries = 0; tries < 50; tries++) {
      const outcome = await client.request({ url: `http://rebind.example:${port}/`, method: "POST" });
      assert.deepEqual(outcome, { kind: "refused", reason: "address" });
    }
    await client.close();
  }
  assert.equal(it.partner.connections(), connections);
});

test("no refused request held anything", async () => {
  const { available, held } = await it.wallet();
  // The one accepted request in this file.
  assert.equal(held, 21.1);
  assert.equal(available, 10_000 - 21.1);
  assert.ok(it.partner.connections() - connectionsBefore <= 2);
  await it.invariantsHold();
});

// The whole way with the sandbox's partners: a photo is handed over, relit, reported by signed webhooks, and looks as the
// parameters say; a prompt becomes a film.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { type HookReceiver, hookReceiver, promptPath, relightPath, taskIdOf } from "./support/partner-app.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let receiver: HookReceiver;
before(async () => {
  receiver = await hookReceiver();
  app = await testApp({ env: { ATELIER_SANDBOX: "on", ATELIER_WEBHOOK_TARGETS: receiver.target } });
});
after(async () => {
  await app.close();
  await receiver.close();
});

const post = (path: string, body: unknown) => app.call({ method: "POST", path, headers: bearer(app.key), body });
const bytesAt = async (url: string) => Buffer.from(await (await request(url)).body.arrayBuffer());

async function photo(): Promise<Buffer> {
  const pixels = Buffer.alloc(200 * 160 * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = 60 + ((at * 7) % 90);
  return sharp(pixels, { raw: { width: 200, height: 160, channels: 3 } })
    .png()
    .toBuffer();
}

async function brightness(bytes: Buffer): Promise<number> {
  const { channels } = await sharp(bytes).stats();
  return channels.slice(0, 3).reduce((sum, { mean }) => sum + mean, 0) / 3;
}

async function relit(image: string, settings: object, more: object = {}): Promise<{ id: string; picture: Buffer }> {
  const started = await post(relightPath, { image, advanced_settings: settings, ...more });
  assert.equal(started.status, 200, started.text);
  const id = taskIdOf(started);
  const done = await until("the picture is done", async () => {
    const answer = await app.call({ path: `${relightPath}/${id}`, headers: bearer(app.key) });
    assert.doesNotMatch(answer.text, /FAILED/);
    return /COMPLETED/.test(answer.text) ? answer : null;
  });
  const [url] = listOf(done.json(), "data", "generated");
  return { id, picture: await bytesAt(String(url)) };
}

test("a photo from storage is relit as asked, and every change is sent with a signature that verifies", {
  timeout: 900_000,
}, async () => {
  const secret = textOf((await post("/account/webhooks/secrets", { overlap_seconds: 0 })).json(), "secret");
  const original = await photo();
  const ticket = (await post("/customers/storage", { file_name: "p.png", content_type: "image/png" })).json();
  const put = await request(textOf(ticket, "upload_url"), { method: "PUT", body: original });
  assert.equal(put.statusCode, 200);
  await put.body.dump();
  const image = textOf(ticket, "download_url");
  const [bright, dark] = await Promise.all([
    relit(image, { brightness: 95 }, { webhook_url: receiver.url }),
    relit(image, { brightness: 5 }),
  ]);
  assert.ok((await brightness(bright.picture)) > (await brightness(dark.picture)) + 10);
  const deliveries = await until("both changes arrived", () => {
    const hooks = receiver.hooks.filter(({ value }) => value["task_id"] === bright.id);
    return hooks.length === 2 ? hooks : null;
  });
  const verifier = new Webhook(secret);
  for (const { text, headers } of deliveries) verifier.verify(text, headers);
  assert.deepEqual(deliveries.map(({ value }) => [value["sequence"], value["status"]]).sort(), [
    [1, "IN_PROGRESS"],
    [2, "COMPLETED"],
  ]);
});

test("a prompt becomes a video, its 64-bit seed intact, and is charged by its frames", {
  timeout: 900_000,
}, async () => {
  const credits = async () =>
    Number(textOf((await app.call({ path: "/account/credits", headers: bearer(app.key) })).json(), "available"));
  const before = await credits();
  const started = await app.call({
    method: "POST",
    path: promptPath,
    headers: { ...bearer(app.key), "content-type": "application/json" },
    body: '{"prompt_text":"a boat at night","inference_params":{"seed":9007199254740993,"num_frames":4,"width":64,"height":64}}',
  });
  assert.equal(started.status, 201, started.text);
  const path = `/proxy/partner-b/prompts/${taskIdOf(started)}`;
  const done = await until("the film is done", async () => {
    const answer = await app.call({ path, headers: bearer(app.key) });
    return /"status":"completed"/.test(answer.text) ? answer : null;
  });
  assert.match(done.text, /"seed":9007199254740993[,}]/);
  const film = await bytesAt(textOf(done.json(), "output_url"));
  // MP4 if ffmpeg is installed, else an animated WebP.
  assert.match(Buffer.from(film).toString("latin1", 0, 12), /^(.{4}ftyp|RIFF.{4}WEBP)/s);
  assert.ok(Number(memberOf(done.json(), "meta", "duration_s")) > 0);
  assert.equal(Math.round((before - (await credits())) * 1e6), 4 * 2_110_000);
});

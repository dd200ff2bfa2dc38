import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { meanDifference } from "../../test/support/measure.ts";
import { face, faceSize, type PartnerClient, partnerClient } from "../../test/support/partner-client.ts";
import { portrait } from "../../test/support/portrait.ts";
import { at, bodyOf } from "../../test/support/sandbox-client.ts";
import { statisticsOf } from "../light/colour-map.ts";

let sandbox: PartnerClient;
before(async () => {
  sandbox = await partnerClient();
});
after(() => sandbox.close());

const hasEnded = (body: Record<string, unknown>) =>
  ["COMPLETED", "FAILED"].includes(String(at(body, "data", "status")));

async function made(tool: string, body: object): Promise<{ width: number; height: number; pixels: Uint8Array }> {
  const path = `/partner-a/v1/ai/${tool}`;
  const answer = await sandbox.post(path, { image: await face(), ...body });
  assert.equal(answer.status, 200, await answer.clone().text());
  const ended = await sandbox.until(`${path}/${at(await bodyOf(answer), "data", "task_id")}`, hasEnded);
  assert.equal(at(ended, "data", "status"), "COMPLETED");
  const file = await fetch(String(at(ended, "data", "generated", 0)), { signal: AbortSignal.timeout(30_000) });
  const { data, info } = await sharp(await file.arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

const shrunk = async ({ width, height, pixels }: Awaited<ReturnType<typeof made>>) =>
  new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .resize({ ...faceSize, fit: "fill" })
      .raw()
      .toBuffer(),
  );

test("both upscalers return the same picture, larger by the requested factor, and follow their sliders", async () => {
  const original = portrait(faceSize.width, faceSize.height);
  const creative = await made("image-upscaler", { scale_factor: "4x" });
  assert.deepEqual([creative.width, creative.height], [faceSize.width * 4, faceSize.height * 4]);
  assert.ok(meanDifference(await shrunk(creative), original) < 8);
  const vivid = await made("image-upscaler", { scale_factor: "4x", hdr: 10, engine: "magnific_sharpy" });
  assert.ok(meanDifference(vivid.pixels, creative.pixels) > 0.5);
  const precise = await made("image-upscaler-precision-v2", { scale_factor: 3, flavor: "photo_denoiser" });
  assert.deepEqual([precise.width, precise.height], [faceSize.width * 3, faceSize.height * 3]);
  assert.ok(meanDifference(await shrunk(precise), original) < 8);
  const plain = { scale_factor: 2, sharpen: 0, ultra_detail: 0, smart_grain: 0 };
  const grainy = await made("image-upscaler-precision-v2", { ...plain, smart_grain: 100 });
  assert.ok(meanDifference(grainy.pixels, (await made("image-upscaler-precision-v2", plain)).pixels) > 0.5);
});

test("a style transfer applies the reference's colours, as strongly as requested", async () => {
  const teal = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#0a6b70" } })
    .composite([
      { input: Buffer.from('<svg width="64" height="32"><rect width="64" height="32" fill="#0f9a8f"/></svg>') },
    ])
    .png()
    .toBuffer();
  const styled = (body: object) =>
    made("image-style-transfer", { reference_image: teal.toString("base64"), fixed_generation: true, ...body });
  const original = portrait(faceSize.width, faceSize.height);
  const colourOf = (pixels: Uint8Array) => statisticsOf(pixels).meanA;
  const target = colourOf(new Uint8Array(await sharp(teal).removeAlpha().raw().toBuffer()));
  const whole = await styled({ style_strength: 100 });
  const half = await styled({ style_strength: 40 });
  assert.ok(Math.abs(colourOf(whole.pixels) - target) < Math.abs(colourOf(half.pixels) - target));
  assert.ok(Math.abs(colourOf(half.pixels) - target) < Math.abs(colourOf(original) - target));
  const none = await styled({ style_strength: 0, structure_strength: 50 });
  assert.ok(meanDifference(none.pixels, original) < 3);
  const wild = await styled({ flavor: "psychedelia", engine: "caricature", is_portrait: true, portrait_style: "pop" });
  assert.ok(meanDifference(wild.pixels, whole.pixels) > 3);
  assert.deepEqual([whole.width, whole.height], [faceSize.width, faceSize.height]);
});

test("a missing picture and an invalid word are named", async () => {
  const answer = await sandbox.post("/partner-a/v1/ai/image-style-transfer", { image: await face(), flavor: "sweet" });
  assert.equal(answer.status, 400);
  const problems = JSON.stringify(at(await bodyOf(answer), "invalid_params"));
  for (const name of ["reference_image", "flavor"]) assert.ok(problems.includes(name), problems);
  const scale = await sandbox.post("/partner-a/v1/ai/image-upscaler", { image: await face(), scale_factor: "3x" });
  assert.equal(scale.status, 400);
});

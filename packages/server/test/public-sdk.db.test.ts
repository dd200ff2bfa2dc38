// The SDK that others published for this contract, unchanged from npm, against our managed surface.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Comfy } from "@comfyorg/sdk";
import sharp from "sharp";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let folder: string;
let client: Comfy;

before(async () => {
  app = await testApp();
  folder = await mkdtemp(join(tmpdir(), "atelier-sdk-"));
  process.env["COMFY_BASE_URL"] = app.baseUrl;
  client = new Comfy({ apiKey: app.key });
  delete process.env["COMFY_BASE_URL"];
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const photo = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: "#20a040" } })
    .png()
    .toBuffer();

// Scales a photo, lays it over a colour through a feathered mask, saves it.
const graph = () => ({
  "1": { class_type: "LoadImage", inputs: { image: "" } },
  "2": {
    class_type: "ImageScale",
    inputs: { image: ["1", 0], upscale_method: "bilinear", width: 96, height: 72, crop: "disabled" },
  },
  "3": { class_type: "EmptyImage", inputs: { width: 128, height: 104, batch_size: 1, color: 0xff_f0_d0 } },
  "4": { class_type: "SolidMask", inputs: { value: 1, width: 96, height: 72 } },
  "5": { class_type: "FeatherMask", inputs: { mask: ["4", 0], left: 8, top: 8, right: 8, bottom: 8 } },
  "6": {
    class_type: "ImageCompositeMasked",
    inputs: { destination: ["3", 0], source: ["2", 0], x: 16, y: 16, resize_source: false, mask: ["5", 0] },
  },
  "7": { class_type: "SaveImage", inputs: { images: ["6", 0], filename_prefix: "sdk" } },
});

test("the public SDK uploads, submits, waits and downloads", async () => {
  const file = join(folder, "photo.png");
  await writeFile(file, await photo());
  const workflow = client.workflows.fromJson(graph());
  workflow.setInput("1", "image", client.assets.fromFile(file));
  const job = await client.run(workflow);
  assert.equal(job.status, "succeeded");
  const [output] = job.getOutputs("7");
  assert.ok(output);
  await output.toFile(join(folder, "out.png"));
  const { data, info } = await sharp(await readFile(join(folder, "out.png")))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  assert.deepEqual([info.width, info.height], [128, 104]);
  assert.deepEqual(pixel(0, 0), [0xff, 0xf0, 0xd0]);
  assert.deepEqual(pixel(64, 52), [0x20, 0xa0, 0x40]);
});

test("the public SDK streams a job to its end and sees its output before it", async () => {
  const file = join(folder, "stream.png");
  await writeFile(file, await photo());
  const workflow = client.workflows.fromJson(graph());
  workflow.setInput("1", "image", client.assets.fromFile(file));
  workflow.setInput("7", "filename_prefix", "stream");
  const job = await client.submit(workflow);
  const seen: string[] = [];
  for await (const event of job.events()) seen.push(event.kind);
  assert.ok(seen.includes("outputReady"), seen.join(" "));
  assert.equal(seen.at(-1), "statusChange");
  assert.ok(seen.indexOf("outputReady") < seen.length - 1);
  await job.refresh();
  assert.equal(job.status, "succeeded");
});

test("the public SDK maps our refusals to its errors: a wrong graph, a missing asset, an unknown job, a wrong key", async () => {
  const named = (name: string) => (error: Error) => error.constructor.name === name;
  const wrong = client.workflows.fromJson({ "1": { class_type: "NoSuchClass", inputs: {} } });
  await assert.rejects(client.submit(wrong), named("InvalidWorkflow"));
  const missing = client.workflows.fromJson(graph());
  const info = { id: "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6" };
  missing.setInput("1", "image", { __type: "core/ASSET", info });
  await assert.rejects(client.submit(missing), named("MissingAsset"));
  await assert.rejects(client.jobs.get(info.id), named("NotFound"));
  process.env["COMFY_BASE_URL"] = app.baseUrl;
  const stranger = new Comfy({ apiKey: `${app.key.slice(0, -6)}000000` });
  delete process.env["COMFY_BASE_URL"];
  await assert.rejects(stranger.jobs.get(info.id), named("Unauthorized"));
});

test("the public SDK cancels", async () => {
  const slow = client.workflows.fromJson({
    "1": { class_type: "EmptyImage", inputs: { width: 4096, height: 4096, batch_size: 1, color: 255 } },
    "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 10 } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "slow" } },
  });
  const job = await client.submit(slow);
  await job.cancel();
  await job.wait();
  assert.equal(job.status, "canceled");
});

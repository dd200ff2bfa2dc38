// What programs do with the public TypeScript SDK. This file is copied next to the unmodified package and run there; each flow
// prints one line of JSON. COMFY_BASE_URL and COMFY_API_KEY are what a person would set.
import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Comfy, comfy } from "@comfyorg/sdk";

const folder = await mkdtemp(join(tmpdir(), "atelier-flows-"));
const surface = process.env["FLOWS_SURFACE"];
const apiKey = process.env["COMFY_API_KEY"];
const client = new Comfy(apiKey === undefined ? {} : { apiKey });
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWNQWOCAFTEMLQkA+jBAAYR5lLMAAAAASUVORK5CYII=",
  "base64",
);
const graph = () => ({
  1: { class_type: "LoadImage", inputs: { image: "" } },
  2: { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "ts" } },
});
const slow = () => ({
  1: { class_type: "EmptyImage", inputs: { width: 4096, height: 4096, batch_size: 1, color: 255 } },
  2: { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 10 } },
  3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "slow" } },
});

async function submitted(options = {}) {
  const file = join(folder, "photo.png");
  await writeFile(file, picture);
  const workflow = client.workflows.fromJson(graph());
  workflow.setInput("1", "image", client.assets.fromFile(file));
  return client.submit(workflow, options);
}

const failure = async (work) => {
  try {
    await work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("it was not refused");
};

const flows = {
  async "upload, submit, wait, download"() {
    const job = await submitted();
    await job.wait();
    assert.equal(job.status, "succeeded");
    const [output] = job.getOutputs("3");
    await output.toFile(join(folder, "out.png"));
    assert.equal((await readFile(join(folder, "out.png"))).subarray(1, 4).toString(), "PNG");
  },
  async "events to the end, outputs before it"() {
    const job = await submitted();
    const kinds = [];
    for await (const event of job.events()) kinds.push(event.constructor?.name ?? event.type);
    assert.ok(kinds.length > 0);
    await job.refresh();
    assert.equal(job.outputs.length, 1);
  },
  async cancel() {
    const job = await client.submit(client.workflows.fromJson(slow()));
    await job.cancel();
    await job.wait();
    assert.ok(["canceled", "succeeded"].includes(job.status), job.status);
  },
  async "a key for partner nodes goes with the job"() {
    const job = await submitted({ apiKey: apiKey ?? "comfyui-of-another-service" });
    await job.wait();
    assert.equal(job.status, "succeeded");
  },
  async "failures have their class"() {
    const thrown = await failure(() => client.jobs.get("00000000-0000-7000-8000-000000000000"));
    assert.equal(thrown.constructor.name, "NotFound");
    const bad = client.workflows.fromJson({ 1: { class_type: "NoSuchClass", inputs: {} } });
    assert.equal((await failure(() => client.submit(bad))).constructor.name, "InvalidWorkflow");
  },
};

const routerFlows = {
  async "models.run answers with its request id"() {
    const { data, requestId } = await comfy.models.run("sandbox/image-1", { prompt: "a boat", width: 64, height: 64 });
    assert.ok(data);
    assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  },
  async "a model's refusal has its bucket and request id"() {
    const thrown = await failure(() => comfy.models.run("sandbox/no-such-model", {}));
    assert.equal(thrown.code, "model_not_found");
    assert.match(String(thrown.requestId), /^[0-9a-f-]{36}$/);
  },
};

const all = surface === "cloud" ? { ...flows, ...routerFlows } : flows;
for (const [flow, run] of Object.entries(all)) {
  try {
    await run();
    console.log(JSON.stringify({ flow, ok: true }));
  } catch (thrown) {
    console.log(JSON.stringify({ flow, ok: false, note: String(thrown?.stack ?? thrown).slice(0, 600) }));
  }
}

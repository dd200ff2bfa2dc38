// Works through the SDK, against the real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestApp, testApp } from "../../server/test/support/test-app.ts";
import { Atelier, AtelierError, type Form, GraphFile, ModelNotFound, referenceTo } from "../src/index.ts";

let app: TestApp;
let atelier: Atelier;
before(async () => {
  app = await testApp({ env: { ATELIER_SANDBOX: "off" } });
  atelier = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
});
after(() => app.close());

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed: 7, strength: 0.5 } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "noise" } },
};
const greatest = 2n ** 64n - 1n;
const form: Form = {
  inputs: [
    { name: "seed", node: "2", input: "seed", kind: "integer", minimum: 0, maximum: greatest, default: greatest },
  ],
  outputs: [{ name: "picture", node: "3" }],
};

test("a form keeps integers beyond 2^53 on its way to a version and back, and so does a call", async () => {
  const { id } = await atelier.workflows.save("Noise", graph);
  const suggested = await atelier.workflows.form(id, { version: 1 });
  assert.deepEqual([suggested.source, suggested.version], ["inferred", 1]);
  assert.equal(suggested.inputs.find(({ name }) => name === "seed")?.maximum, greatest);
  const saved = await atelier.workflows.saveForm(id, form, { note: "One input.", ifMatch: '"1"' });
  assert.deepEqual([saved.source, saved.version, saved.etag, saved.form], ["saved", 2, '"2"', form]);
  assert.deepEqual((await atelier.workflows.form(id)).form, form);
  const late = atelier.workflows.saveForm(id, { ...form, inputs: [] }, { ifMatch: '"1"' });
  await assert.rejects(late, (error) => error instanceof AtelierError && error.status === 412);
  const work = await atelier.works.publish("noise", id, { examples: [], title: "Noise" });
  assert.deepEqual((await atelier.works.version("noise")).form.inputs[0], form.inputs[0]);
  const { data, creditsUsed } = await atelier.models.run(work.id, {});
  assert.deepEqual(Object(data)["inputs"], { seed: greatest });
  assert.equal(creditsUsed, "0");
});

test("a change with an old ETag is refused with 412, and a withdrawn work is not found", async () => {
  const before = await atelier.works.get("noise");
  const sunsetAt = new Date("2199-01-01T00:00:00Z");
  const after = await atelier.works.change("noise", {
    title: null,
    deprecatedAt: "2198-01-01",
    sunsetAt,
    ifMatch: before.etag,
  });
  assert.deepEqual(
    [after.title, after.deprecated_at, after.sunset_at],
    [null, "2198-01-01T00:00:00.000Z", sunsetAt.toISOString()],
  );
  const late = atelier.works.change("noise", { title: "Late", ifMatch: before.etag });
  await assert.rejects(late, (error) => error instanceof AtelierError && error.status === 412);
  await atelier.works.delete("noise", { ifMatch: after.etag });
  await assert.rejects(atelier.models.run(after.id, {}), ModelNotFound);
});

test("a file among the inputs of a work is uploaded, and makes what its asset's id makes", async () => {
  const [made] = (await atelier.jobs.run(graph)).outputs;
  assert.ok(made);
  const loading = {
    "1": { class_type: "LoadImage", inputs: { image: referenceTo(await atelier.assets.get(made.id)) } },
    "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "inverted" } },
  };
  const picture = new Blob([new Uint8Array(await atelier.jobs.download(made))], { type: "image/png" });
  const { id } = await atelier.workflows.save("Invert", loading);
  const work = await atelier.works.publish("invert", id, {
    form: {
      inputs: [{ name: "photo", node: "1", input: "image", kind: "picture", required: true }],
      outputs: [{ name: "picture", node: "3" }],
    },
    examples: [],
  });
  const file = new GraphFile(picture, { filePath: "photo.png" });
  const job = await atelier.jobs.run({ work: work.id, inputs: { photo: file } });
  assert.equal(job.outputs.length, 1);
  const [inverted] = job.outputs;
  const { data } = await atelier.models.run(work.id, { photo: (await atelier.assets.put(picture)).id });
  const [called] = Object(data)["outputs"].picture;
  assert.ok(inverted);
  const bytes = new Uint8Array(await (await fetch(called.url)).arrayBuffer());
  assert.deepEqual(bytes, await atelier.jobs.download(inverted));
});

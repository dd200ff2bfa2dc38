import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../../../foundation/ids.ts";
import { annotatedName, upTo } from "../application-calls.ts";
import { modelNames } from "../classes/model-names.ts";
import { interruptsByName } from "./cancel-prompt.ts";
import { modelName, stagedName, stageInputs } from "./stage-inputs.ts";

const reference = (id: string, filePath?: string) => ({ __type: "core/ASSET", info: { id, file_path: filePath } });
const signal = new AbortController().signal;

test("references are replaced wherever they stand, each asset is staged once, the graph itself stays as it is", async () => {
  const uploads: string[] = [];
  const graph = {
    "1": {
      class_type: "A",
      inputs: { image: reference("x", "a.png"), list: [[reference("y"), 1], { deep: reference("x") }] },
    },
    "2": { class_type: "B", inputs: { text: "core/ASSET", link: ["1", 0] } },
  };
  const before = structuredClone(graph);
  const application = {
    async upload({ name }: { readonly name: string }) {
      uploads.push(name);
      return `given ${uploads.length}`;
    },
  };
  const openFile = async () => ({ bytes: Buffer.from("x"), hash: `blake3:${"0f".repeat(32)}` });
  const staged = await stageInputs({ application, openFile }, newId<"workspace">(), graph, signal);
  assert.deepEqual(staged, {
    "1": { class_type: "A", inputs: { image: "given 1", list: [["given 2", 1], { deep: "given 1" }] } },
    "2": graph["2"],
  });
  assert.deepEqual(graph, before);
  assert.deepEqual(uploads, [`atelier-${"0f".repeat(20)}.png`, `atelier-${"0f".repeat(20)}`]);
});

test("a staged name holds the content's hash and an ending, and nothing a caller could steer", () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), fc.uint8Array(), (path, name, bytes) => {
      const asset = { kind: "asset" as const, id: path, name: path };
      const content = { bytes, ...(name === undefined ? {} : { name }) };
      assert.match(stagedName(content, asset), /^atelier-[0-9a-f]{40}(\.[a-z0-9]{1,12})?$/);
      assert.equal(stagedName(content, asset), stagedName({ ...content }, asset));
    }),
  );
});

test("a model is named below its kind, other files are not", () => {
  assert.equal(modelName("models/checkpoints/sub/a.safetensors"), "sub/a.safetensors");
  assert.equal(modelName("models/a.safetensors"), null);
  assert.equal(modelName("photo.png"), null);
  assert.equal(modelName(null), null);
});

test("a name says its folder unless that is the inputs", () => {
  assert.equal(annotatedName({ name: "a.png", subfolder: "", folder: "input" }), "a.png");
  assert.equal(annotatedName({ name: "a.png", subfolder: "s/t", folder: "output" }), "s/t/a.png [output]");
  assert.equal(annotatedName({ name: "a.png", subfolder: "", folder: "temp" }), "a.png [temp]");
});

test("only versions that can interrupt one prompt are asked to", () => {
  for (const version of ["0.3.57", "0.3.100", "0.4.0", "0.26.1", "1.0.0", "v0.7.0", "nightly"])
    assert.ok(interruptsByName(version), version);
  for (const version of ["0.3.56", "0.2.9", "0.0.1", null]) assert.ok(!interruptsByName(version), String(version));
});

test("the models of a graph are its values that end like model files", () => {
  const graph = {
    "1": { class_type: "L", inputs: { ckpt_name: "xl/base.safetensors", vae: ["2", 0], note: "see a.txt" } },
    "2": { class_type: "L", inputs: { vae_name: "v.PT", again: "xl/base.safetensors" } },
  };
  assert.deepEqual(modelNames(graph), ["xl/base.safetensors", "v.PT"]);
  assert.deepEqual(modelNames([1]), []);
});

test("an input too large for the application is refused before the connection breaks", async () => {
  async function* chunks() {
    for (let at = 0; at < 4; at++) yield Buffer.alloc(10);
  }
  const read = async (bytesMax: number) => (await Array.fromAsync(upTo(bytesMax, chunks()))).length;
  assert.equal(await read(40), 4);
  await assert.rejects(read(39), { code: "too_large" });
});

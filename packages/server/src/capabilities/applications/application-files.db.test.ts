// Files of every kind, into the application and out of it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { openStage, picture, run, type Stage } from "./applications.fixture.ts";
import type { StagedContent } from "./prompts/stage-inputs.ts";

const assetId = "018f0000-0000-7000-8000-00000000000a";
const asset = { __type: "core/ASSET", info: { id: assetId, file_path: "photo.PNG" } };
const load = (image: unknown, prefix: string) => ({
  "1": { class_type: "LoadImage", inputs: { image } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: prefix } },
});

describe("files", () => {
  let stage: Stage;
  let photo: Buffer;
  before(async () => {
    stage = await openStage();
    photo = await sharp({ create: { width: 5, height: 3, channels: 3, background: "#102030" } })
      .png()
      .toBuffer();
  });
  after(() => stage.close());

  const opening = (content: StagedContent | null) => {
    const asked: unknown[] = [];
    return {
      asked,
      openFile: async (_workspaceId: unknown, reference: unknown) => {
        asked.push(reference);
        return content;
      },
    };
  };

  test("an asset is uploaded once, under a name of its content, and the graph gets the name that was answered", async () => {
    const { asked, openFile } = opening({ bytes: photo, hash: "ab".repeat(32), name: "photo.PNG" });
    const graph = {
      ...load(asset, "loaded"),
      "3": { class_type: "LoadImage", inputs: { image: asset } },
      "4": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "second" } },
    };
    const { ending, outputs } = run(stage.application, graph, { openFile });
    assert.equal((await ending).kind, "succeeded");
    assert.deepEqual(asked, [{ kind: "asset", id: assetId, name: "photo.PNG" }]);
    const info = await sharp(outputs[0]?.bytes).metadata();
    assert.deepEqual([outputs.length, info.width, info.height], [2, 5, 3]);
    const listed = await stage.application.objectInfo();
    assert.ok(listed.includes(`atelier-${"ab".repeat(20)}.png`));
  });

  test("a stream goes through without being gathered", async () => {
    async function* slices() {
      for (let at = 0; at < photo.length; at += 7) yield photo.subarray(at, at + 7);
    }
    const { openFile } = opening({ stream: slices(), hash: "cd".repeat(32) });
    assert.equal((await run(stage.application, load(asset, "stream"), { openFile }).ending).kind, "succeeded");
  });

  test("an asset that is gone fails the job and names the node", async () => {
    const { openFile } = opening(null);
    const ending = await run(stage.application, load(asset, "gone"), { openFile }).ending;
    assert.ok(ending.kind === "failed");
    assert.deepEqual(
      [ending.problem.code, ending.problem.nodeId, ending.isRetryable],
      ["asset_unavailable", "1", false],
    );
  });

  test("a file that the application has is named where it lies, outputs with their folder", async () => {
    const made = run(stage.application, picture("there/made"));
    await made.ending;
    const name = `${made.outputs[0]?.name} [output]`;
    const { asked, openFile } = opening(null);
    const { ending, outputs } = run(stage.application, load(asset, "reused"), {
      openFile,
      placedName: async () => name,
    });
    assert.equal((await ending).kind, "succeeded");
    assert.deepEqual([asked.length, outputs.length], [0, 1]);
  });

  test("results of every kind come home with the type of their ending", async () => {
    const kinds = [
      ["images", "mp4", "video/mp4"],
      ["gifs", "webm", "video/webm"],
      ["audio", "flac", "audio/flac"],
      ["3d", "glb", "model/gltf-binary"],
      ["latents", "latent", "application/octet-stream"],
      ["odd key", "xyz", "application/octet-stream"],
    ] as const;
    const graph = Object.fromEntries(
      kinds.map(([key, extension], at) => [
        String(at),
        { class_type: "TestFile", inputs: { bytes: 100 + at, extension, key, filename_prefix: `kinds/k${at}` } },
      ]),
    );
    const { ending, outputs } = run(stage.application, graph);
    assert.equal((await ending).kind, "succeeded");
    const found = new Map(outputs.map((output) => [output.nodeId, [output.contentType, output.bytes.length]]));
    for (const [at, [, , type]] of kinds.entries()) assert.deepEqual(found.get(String(at)), [type, 100 + at]);
  });

  test("a text becomes a text file, and previews are kept apart from results", async () => {
    const graph = {
      "1": { class_type: "PrimitiveString", inputs: { value: "wörds" } },
      "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
      "3": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 5 } },
      "4": { class_type: "PreviewImage", inputs: { images: ["3", 0] } },
    };
    const { ending, outputs } = run(stage.application, graph);
    assert.equal((await ending).kind, "succeeded");
    assert.deepEqual(
      outputs
        .filter(({ folder }) => folder === "output")
        .map(({ nodeId, name, contentType, bytes }) => [nodeId, name, contentType, bytes.toString("utf8")]),
      [["2", "text_1.txt", "text/plain; charset=utf-8", "wörds"]],
    );
    assert.deepEqual(
      outputs.flatMap(({ nodeId, folder, contentType }) =>
        folder === "output" ? [] : [[nodeId, folder, contentType]],
      ),
      [["4", "temp", "image/png"]],
    );
  });

  test("ten megabytes stream through", async () => {
    const graph = {
      "1": {
        class_type: "TestFile",
        inputs: { bytes: 10_000_000, extension: "bin", key: "files", filename_prefix: "big" },
      },
    };
    const { ending, outputs } = run(stage.application, graph);
    assert.equal((await ending).kind, "succeeded");
    assert.equal(outputs[0]?.bytes.length, 10_000_000);
  });
});

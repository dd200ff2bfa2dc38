import assert from "node:assert/strict";
import { test } from "node:test";
import { runClass } from "../../test/support/run-class.ts";
import { runGraph } from "../../test/support/run-graph.ts";
import type { Graph } from "../graph/graph.ts";
import { validateGraph } from "../graph/validate-graph.ts";

const graphOf = (inputs: Record<string, unknown>): Graph => ({
  "1": { class_type: "EmptyImage", inputs: { width: 6, height: 4, batch_size: 2, color: 255 } },
  "2": { class_type: "SaveImageAdvanced", inputs: { images: ["1", 0], filename_prefix: "x", ...inputs } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "y" } },
  "4": { class_type: "ImageCompare", inputs: { image_a: ["1", 0], compare_view: ["", ""] } },
});

test("SaveImageAdvanced saves PNG files whose names end with their number, and hands the pictures on", async () => {
  const { result, saved } = await runGraph(graphOf({ format: "png", "format.bit_depth": "8-bit" }));
  assert.equal(result.status, "succeeded", JSON.stringify(result));
  const names = saved.filter(({ folder }) => folder === "output").map(({ name }) => name);
  assert.deepEqual(names.sort(), ["x_00001.png", "x_00002.png", "y_00001_.png", "y_00002_.png"]);
});

test("ImageCompare makes previews of the pictures it has", async () => {
  const { saved } = await runGraph(graphOf({ format: "png" }));
  const previews = saved.filter(({ folder }) => folder === "temp").map(({ name }) => name);
  assert.deepEqual(previews.sort(), ["Atelier_compare_a_4_00001_.png", "Atelier_compare_a_4_00002_.png"]);
});

test("a format that we cannot write is refused with the graph", () => {
  for (const inputs of [{ format: "exr" }, { format: "png", "format.bit_depth": "16-bit" }])
    assert.equal(validateGraph(graphOf(inputs)).ok, false, JSON.stringify(inputs));
});

test("SaveText saves a text as it is, and JSON indented where nothing would change", async () => {
  const saved = async (text: string, format: string) => {
    const graph: Graph = {
      "1": { class_type: "PrimitiveString", inputs: { value: text } },
      "2": { class_type: "SaveText", inputs: { text: ["1", 0], filename_prefix: "t", format } },
    };
    const ran = await runGraph(graph);
    return [ran.saved[0]?.name, Buffer.from(ran.saved[0]?.bytes ?? []).toString()];
  };
  assert.deepEqual(await saved("a,b", "csv"), ["t_00001.csv", "a,b"]);
  assert.deepEqual(await saved('{"a":[1,"ü"]}', "json"), ["t_00001.json", '{\n  "a": [\n    1,\n    "ü"\n  ]\n}']);
  assert.deepEqual(await saved('{"a":1.0}', "json"), ["t_00001.json", '{"a":1.0}']);
  assert.deepEqual(await saved("{", "json"), ["t_00001.json", "{"]);
});

test("ResolutionSelector gives the application's sizes", async () => {
  const size = (aspect_ratio: string, megapixels: number, multiple: number) =>
    runClass("ResolutionSelector", { aspect_ratio, megapixels, multiple });
  assert.deepEqual(await size("1:1 (Square)", 1, 8), [1024, 1024]);
  assert.deepEqual(await size("16:9 (Widescreen)", 1, 64), [1344, 768]);
  assert.deepEqual(await size("2:3 (Portrait Photo)", 0.5, 8), [592, 888]);
});

test("SaveAudioAdvanced saves FLAC without ffmpeg, and knows the qualities of each format", async () => {
  const sound = { kind: "audio", batch: 1, channels: 1, length: 100, sampleRate: 8000, data: new Float32Array(100) };
  const [handed] = await runClass("SaveAudioAdvanced", { audio: sound, filename_prefix: "s", format: "flac" });
  assert.equal(handed, sound);
  const wrong = { audio: sound, filename_prefix: "s", format: "mp3", "format.quality": "96k" };
  await assert.rejects(runClass("SaveAudioAdvanced", wrong), /quality: expected one of its choices/);
});

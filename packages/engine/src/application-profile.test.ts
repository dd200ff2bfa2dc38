// How the two versions of the application differ beyond their arithmetic: which graphs they accept, and how they word a refusal.
// The arithmetic and the definitions are in test/references.test.ts and test/definitions.test.ts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runGraph } from "../test/support/run-graph.ts";
import type { ApplicationProfile } from "./application-profile.ts";
import { validateGraph } from "./graph/validate-graph.ts";

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const picture = node("EmptyImage", { width: 8, height: 8, batch_size: 3, color: 255 });

function typesOf(graph: object, profile: ApplicationProfile): Record<string, string[]> {
  const { nodeErrors } = validateGraph(graph, { profile });
  return Object.fromEntries(
    Object.entries(nodeErrors).map(([id, { errors }]) => [id, errors.map(({ type, details }) => `${type} ${details}`)]),
  );
}

test("a dynamic combo without the input of its choice is refused at submission, in both profiles", () => {
  const resize = (inputs: Record<string, unknown>) => ({
    "1": picture,
    "2": node("ResizeImageMaskNode", { input: ["1", 0], scale_method: "area", ...inputs }),
    "3": node("SaveImage", { images: ["2", 0], filename_prefix: "x" }),
  });
  const whole = { "resize_type.width": 4, "resize_type.height": 4, "resize_type.crop": "center" };
  for (const profile of ["0.7", "0.30"] as const) {
    assert.deepEqual(typesOf(resize({ resize_type: "scale dimensions", "resize_type.height": 4 }), profile), {
      "2": ["required_input_missing resize_type.width", "required_input_missing resize_type.crop"],
    });
    assert.deepEqual(typesOf(resize({ resize_type: "scale dimensions", ...whole }), profile), {});
    // Inputs that belong to another choice are ignored.
    const other = { "resize_type.megapixels": -5, "resize_type.multiplier": 2 };
    assert.deepEqual(typesOf(resize({ resize_type: "scale by multiplier", ...other }), profile), {});
  }
});

test("a nested dynamic combo needs its inner value only where its choice is made", () => {
  const save = (inputs: Record<string, unknown>) => ({
    "1": picture,
    "2": node("CreateVideo", { images: ["1", 0], fps: 8 }),
    "3": node("SaveVideo", { video: ["2", 0], filename_prefix: "x", format: "auto", ...inputs }),
  });
  const asked = { codec: "h264", "codec.encoding": "re-encode" };
  assert.deepEqual(typesOf(save({ codec: "auto" }), "0.30"), {});
  assert.deepEqual(typesOf(save({ codec: "h264" }), "0.30"), {});
  assert.deepEqual(typesOf(save(asked), "0.30"), { "3": ["required_input_missing codec.encoding.crf"] });
  assert.deepEqual(typesOf(save({ ...asked, "codec.encoding.crf": 20 }), "0.30"), {});
  assert.deepEqual(typesOf(save({ ...asked, "codec.encoding.crf": 99 }), "0.30"), {
    "3": ["value_bigger_than_max codec.encoding.crf"],
  });
});

test("under 0.7 a value that only 0.30 understands is refused, never ignored", () => {
  const film = (create: Record<string, unknown>, save: Record<string, unknown>) => ({
    "1": picture,
    "2": node("CreateVideo", { images: ["1", 0], fps: 8, ...create }),
    "3": node("SaveVideo", { video: ["2", 0], filename_prefix: "x", format: "auto", codec: "h264", ...save }),
  });
  assert.deepEqual(typesOf(film({ bit_depth: 8 }, { "codec.encoding": "auto" }), "0.7"), {});
  const refused = typesOf(film({ bit_depth: 10 }, { "codec.encoding": "re-encode", "codec.encoding.crf": 3 }), "0.7");
  assert.deepEqual(Object.keys(refused), ["2", "3"]);
  assert.match(String(refused["2"]), /^custom_validation_failed bit_depth - Only version 0\.30/);
  assert.match(String(refused["3"]), /^custom_validation_failed codec\.encoding - Only version 0\.30/);
  const negative = { "1": picture, "2": node("ImageFromBatch", { image: ["1", 0], batch_index: -1, length: 1 }) };
  const graph = { ...negative, "3": node("SaveImage", { images: ["2", 0], filename_prefix: "x" }) };
  assert.deepEqual(typesOf(graph, "0.7"), { "2": ["value_smaller_than_min batch_index"] });
  assert.deepEqual(typesOf(graph, "0.30"), {});
});

test("a graph goes on after a class that saves under 0.30, and is refused under 0.7", async () => {
  const graph = {
    "1": picture,
    "2": node("SaveImage", { images: ["1", 0], filename_prefix: "first" }),
    "3": node("GetImageSize", { image: ["2", 0] }),
    "4": node("PreviewAny", { source: ["3", 2] }),
    "5": node("StringConcatenate", { string_a: ["4", 0], string_b: "pictures", delimiter: " " }),
    "6": node("PreviewAny", { source: ["5", 0] }),
  };
  assert.deepEqual(Object.keys(typesOf(graph, "0.7")), ["3", "5"]);
  const { result, saved } = await runGraph(graph, { limits: { profile: "0.30" } });
  assert.equal(result.status, "succeeded");
  const texts = saved.filter(({ kind }) => kind === "text").map(({ bytes }) => Buffer.from(bytes).toString());
  assert.deepEqual([saved.length, texts], [5, ["3", "3 pictures"]]);
});

test("a missing class and a cycle are reported in each version's own words", () => {
  const missing = { "7": { class_type: "KSamplerr", inputs: {}, _meta: { title: "My sampler" } } };
  assert.equal(validateGraph(missing, { profile: "0.7" }).problem?.type, "invalid_prompt");
  const newer = validateGraph(missing, { profile: "0.30" }).problem;
  assert.equal(newer?.type, "missing_node_type");
  assert.equal(newer?.message, "Node 'My sampler' not found. The custom node may not be installed.");
  const { unknown_class: own, ...theirs } = newer?.extra_info ?? {};
  assert.deepEqual(theirs, { node_id: "7", class_type: "KSamplerr", node_title: "My sampler" });
  assert.equal(own, "KSamplerr");
  const cycle = {
    a: node("ImageInvert", { image: ["b", 0] }),
    b: node("ImageInvert", { image: ["a", 0] }),
    c: node("SaveImage", { images: ["b", 0], filename_prefix: "x" }),
  };
  assert.equal(Object.keys(validateGraph(cycle, { profile: "0.7" }).nodeErrors).length, 1);
  assert.deepEqual(Object.keys(validateGraph(cycle, { profile: "0.30" }).nodeErrors).toSorted(), ["a", "b"]);
});

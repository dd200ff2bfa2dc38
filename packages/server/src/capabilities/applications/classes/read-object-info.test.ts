import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInClasses, describeClasses, type NodeClassDescription } from "@atelier/engine";
import fc from "fast-check";
import { judgeGraph } from "./judge-graph.ts";
import { readObjectInfo } from "./read-object-info.ts";

const entry = (required: object, more: object = {}) => ({
  input: { required },
  output: ["MODEL"],
  output_name: ["model"],
  output_node: false,
  python_module: "nodes",
  ...more,
});
const info = {
  Loader: entry({ name: [["a.safetensors", "b.safetensors"], {}], kind: [["fast", "slow"], {}] }),
  Sampler: entry(
    {
      model: ["MODEL"],
      steps: ["INT", { default: 20, min: 1, max: 100 }],
      free: ["FLOAT", {}],
      seed: ["INT", { default: 0, min: 0, max: 2 ** 64 }],
      mode: ["COMBO", { options: ["one", "two"] }],
    },
    { output: ["LATENT"] },
  ),
  Save: entry({ samples: ["LATENT"] }, { output: [], output_node: true }),
  SaveModel: entry({ model: ["MODEL,CLIP"] }, { output: [], output_node: true }),
  Image: entry({ image: [["in.png"], { image_upload: true }] }, { output: ["IMAGE", "MASK"] }),
  Show: entry({ images: ["IMAGE"] }, { output: [], output_node: true }),
  Foreign: entry(
    { choice: [["x"], {}], n: ["INT", { min: 0, max: 1 }], other: ["THING"] },
    { python_module: "custom_nodes.pack", output: [], output_node: true },
  ),
  Dynamic: entry({ grow: ["COMFY_AUTOGROW_V3", {}], any: ["COMFY_MATCHTYPE_V3"] }, { output: [], output_node: true }),
};
const classes = readObjectInfo(JSON.parse(JSON.stringify(info)));
assert.ok(classes);
const judge = (graph: object, allowsApplicationFiles = false) => judgeGraph(graph, classes, { allowsApplicationFiles });
const typesOf = (graph: object, allows = false) =>
  Object.entries(judge(graph, allows).nodeErrors).map(([id, { errors }]) => [id, ...errors.map(({ type }) => type)]);

const loader = { class_type: "Loader", inputs: { name: "a.safetensors", kind: "fast" } };
const sampler = { class_type: "Sampler", inputs: { model: ["1", 0], steps: 20, free: 1e9, seed: 5, mode: "two" } };
const good = { "1": loader, "2": sampler, "3": { class_type: "Save", inputs: { samples: ["2", 0] } } };

test("a graph that fits its classes passes, types of any name included", () => {
  assert.deepEqual(judge(good), {
    ok: true,
    problem: null,
    nodeErrors: {},
    outputs: ["3"],
    nodes: ["1", "2", "3"],
  });
});

test("unknown classes are named with their nodes", () => {
  const verdict = judge({
    ...good,
    "9": { class_type: "Nope", inputs: {} },
    "10": { class_type: "toString", inputs: {} },
  });
  assert.deepEqual(Object.keys(verdict.nodeErrors).sort(), ["10", "9"]);
  assert.equal(verdict.problem?.type, "invalid_prompt");
});

test("ranges, lists, missing inputs and names of models are judged in the application's words", () => {
  const broken = (inputs: object) => ({
    ...good,
    "2": { class_type: "Sampler", inputs: { ...sampler.inputs, ...inputs } },
  });
  assert.deepEqual(typesOf(broken({ steps: 0 })), [["2", "value_smaller_than_min"]]);
  assert.deepEqual(typesOf(broken({ mode: "three" })), [["2", "value_not_in_list"]]);
  assert.deepEqual(typesOf(broken({ steps: undefined })), [["2", "required_input_missing"]]);
  const other = { class_type: "Loader", inputs: { name: "c.safetensors", kind: "fast" } };
  assert.deepEqual(typesOf({ ...good, "1": other }), [["1", "value_not_in_list"]]);
});

test("a link of the wrong type is refused, even if only the application knows the type", () => {
  assert.deepEqual(typesOf({ ...good, "3": { class_type: "Save", inputs: { samples: ["1", 0] } } }), [
    ["3", "return_type_mismatch"],
  ]);
  assert.deepEqual(typesOf({ "1": loader, "4": { class_type: "SaveModel", inputs: { model: ["1", 0] } } }), []);
  const picture = { "1": loader, "5": { class_type: "Show", inputs: { images: ["1", 0] } } };
  assert.deepEqual(typesOf(picture), [["5", "return_type_mismatch"]]);
});

test("what a class may judge by itself passes: installed ones, computed types", () => {
  const foreign = { class_type: "Foreign", inputs: { choice: "made in the editor", n: 7, other: ["1", 0] } };
  assert.deepEqual(typesOf({ "1": loader, "6": { ...foreign, inputs: { ...foreign.inputs, other: 1 } } }), []);
  assert.deepEqual(typesOf({ "6": { class_type: "Foreign", inputs: { choice: "x" } } }), [
    ["6", "required_input_missing", "required_input_missing"],
  ]);
  const empty = readObjectInfo({ Pick: entry({ choice: [[], {}] }, { output: [], output_node: true }) });
  assert.ok(
    empty &&
      judgeGraph({ "1": { class_type: "Pick", inputs: { choice: "made in the editor" } } }, empty, {
        allowsApplicationFiles: false,
      }).ok,
  );
  assert.deepEqual(typesOf({ "7": { class_type: "Dynamic", inputs: { "grow.0": 1 } } }), []);
});

test("files are the caller's assets, and the application's own only where that is allowed", () => {
  const load = (image: unknown) => ({
    "1": { class_type: "Image", inputs: { image } },
    "2": { class_type: "Show", inputs: { images: ["1", 0] } },
  });
  const asset = { __type: "core/ASSET", info: { id: "x" } };
  assert.deepEqual(typesOf(load(asset)), []);
  for (const name of ["in.png", "sub/x.png", "made.png [output]", "nope.png"])
    assert.deepEqual(typesOf(load(name)), [["1", "custom_validation_failed"]], name);
  for (const name of ["in.png", "in.png [input]", "sub/x.png", "made.png [output]"])
    assert.deepEqual(typesOf(load(name), true), [], name);
  assert.deepEqual(typesOf(load("nope.png"), true), [["1", "custom_validation_failed"]]);
  assert.deepEqual(
    classes.fileInputs.get("Image")?.map(({ name }) => name),
    ["image"],
  );
});

test("the fingerprint of a class changes with what it is, and not with the files of a machine", () => {
  const printOf = (changed: object) =>
    readObjectInfo({ Loader: entry({ ...info.Loader.input.required, ...changed }) })?.fingerprints["Loader"];
  const same = printOf({});
  assert.equal(printOf({ name: [["z.safetensors"], {}] }), same);
  assert.equal(printOf({ name: [[], {}] }), same);
  assert.notEqual(printOf({ kind: [["fast"], {}] }), same);
  assert.notEqual(printOf({ extra: ["INT", {}] }), same);
});

function namesOf(description: NodeClassDescription | undefined): string[] {
  return description?.inputs.map((input) => input.name) ?? [];
}

test("our own classes survive the way through object_info: they convert and judge as before", () => {
  const read = readObjectInfo(JSON.parse(JSON.stringify(describeClasses(builtInClasses, ["in.png"]))));
  assert.ok(read);
  assert.deepEqual([...read.described.keys()], [...builtInClasses.keys()]);
  for (const [name, { inputs, shown }] of builtInClasses) {
    // Inputs whose number or kind depends on the graph are listed as one.
    if (shown) {
      assert.deepEqual(namesOf(read.described.get(name)), Object.keys({ ...shown.required, ...shown.optional }));
      continue;
    }
    const files = inputs.filter((input) => input.type === "COMBO" && input.options === null).map((input) => input.name);
    assert.deepEqual(read.fileInputs.get(name)?.map((input) => input.name) ?? [], files, name);
    assert.deepEqual(
      read.described.get(name)?.inputs.map((input) => [input.name, input.type]),
      // A text that only a link can feed is a socket there.
      inputs.map((input) => [input.name, input.type === "STRING" && input.isSocket ? "*" : input.type]),
    );
  }
});

test("any object_info and graph give classes or none, and a verdict", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, graph) => {
      const read = readObjectInfo({
        A: { input: { required: value, optional: { x: value } }, output: value },
        B: value,
      });
      for (const each of [graph, { "1": { class_type: "A", inputs: graph } }]) {
        if (read) assert.ok(JSON.stringify(judgeGraph(each, read, { allowsApplicationFiles: true })).length > 0);
      }
      readObjectInfo(value);
    }),
  );
});

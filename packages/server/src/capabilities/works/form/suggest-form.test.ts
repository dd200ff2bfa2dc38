import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { builtInClasses, convertUiGraph, describeClasses, type EditorClass, readEditorClass } from "@atelier/engine";
import fc from "fast-check";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { checkForm } from "./check-form.ts";
import { tryReadForm, writeForm } from "./read-form.ts";
import { suggestForm } from "./suggest-form.ts";
import type { FormInput } from "./work-form.ts";

const own = Object.entries(describeClasses(builtInClasses, [], { isExact: true }));
const foreign = {
  Encode: { input: { required: { text: ["STRING", { multiline: true }], clip: ["CLIP"] } }, output: ["CONDITIONING"] },
  Combine: { input: { required: { one: ["CONDITIONING"], two: ["CONDITIONING"] } }, output: ["CONDITIONING"] },
  Sampler: {
    input: {
      required: {
        positive: ["CONDITIONING"],
        negative: ["CONDITIONING"],
        seed: ["INT", { default: 0, min: 0, max: 2n ** 64n - 1n }],
        steps: ["INT", { default: 20, min: 1, max: 10000 }],
        sampler: [["euler", "heun"], {}],
        size: ["INT", { default: 64, min: 1, max: 4096, step: 8 }],
      },
    },
    output: ["IMAGE"],
  },
};
const descriptions = new Map<string, unknown>([...own, ...Object.entries(foreign)]);
const editorClasses = new Map(
  [...descriptions].flatMap(([name, entry]): [string, EditorClass][] => {
    const read = readEditorClass(name, entry);
    return read === null ? [] : [[name, read]];
  }),
);
const classes = { descriptions };
const exactly = (value: unknown) => parseJson(Buffer.from(writeExactJson(value)));
const suggested = (graph: unknown) => suggestForm({ graph: exactly(graph), document: null, classes });
const ofDocument = (document: object) => {
  const made = convertUiGraph(document, editorClasses, { random: () => 0 });
  assert.ok(made.ok, JSON.stringify(made));
  return suggestForm({ graph: exactly(made.graph), document: exactly(document), classes });
};
const locations = (inputs: readonly FormInput[]) =>
  inputs.map(({ name, node, input, also = [] }) =>
    [name, `${node}.${input}`, ...also.map((each) => `${each.node}.${each.input}`)].join(" "),
  );

describe("a form is inferred", () => {
  test("from a graph that calls a model: prompt, size, random seed, and what it saves", () => {
    const model = { model: "sandbox/image-1", prompt: "a lighthouse", width: 512, height: 512, seed: 2n ** 60n + 1n };
    const { form, source, inputs, outputs, problems } = suggested({
      "1": { class_type: "AtelierModelImage", inputs: { ...model, parameters: "{}" } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "lighthouse" } },
      "3": { class_type: "PreviewImage", inputs: { images: ["1", 0] } },
    });
    assert.equal(source, "inferred");
    assert.deepEqual(problems, []);
    const size = { kind: "integer", minimum: 64, maximum: 4096, step: 8, default: 512 };
    assert.deepEqual(form, {
      inputs: [
        {
          name: "prompt",
          node: "1",
          input: "prompt",
          kind: "text",
          label: "Prompt",
          multiline: true,
          default: "a lighthouse",
        },
        { name: "width", node: "1", input: "width", label: "Width", ...size },
        { name: "height", node: "1", input: "height", label: "Height", ...size },
        {
          name: "seed",
          node: "1",
          input: "seed",
          kind: "integer",
          label: "Seed",
          minimum: 0,
          maximum: 2n ** 64n - 1n,
          random: true,
        },
      ],
      outputs: [{ name: "picture", node: "2", label: "Picture" }],
    });
    assert.deepEqual(locations(inputs), [
      "model 1.model",
      "prompt 1.prompt",
      "width 1.width",
      "height 1.height",
      "seed 1.seed",
      "parameters 1.parameters",
      "filename_prefix 2.filename_prefix",
    ]);
    assert.deepEqual(
      outputs.map(({ name, node }) => [name, node]),
      [
        ["picture", "2"],
        ["picture_2", "3"],
      ],
    );
  });

  test("with equal sizes as one input, within the bounds of all, and one prompt under its plain name", () => {
    const { form, inputs } = suggested({
      "1": {
        class_type: "AtelierModelImage",
        inputs: { model: "a/b", prompt: "x", width: 768, height: 512, seed: 1 },
        _meta: { title: "Hills" },
      },
      "2": { class_type: "SolidMask", inputs: { value: 1, width: 768, height: 512 } },
      "3": { class_type: "EmptyImage", inputs: { width: 864, height: 512, batch_size: 1, color: 0 } },
      "4": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    });
    assert.deepEqual(locations(form.inputs), [
      "prompt 1.prompt",
      "width 1.width 2.width",
      "height 1.height 2.height 3.height",
      "seed 1.seed",
    ]);
    const width = form.inputs.find(({ name }) => name === "width");
    assert.deepEqual([width?.label, width?.minimum, width?.maximum], ["Width", 64, 4096]);
    assert.ok(locations(inputs).includes("width 1.width"));
    assert.ok(locations(inputs).includes("width_2 2.width"));
  });

  test("with the prompt and the negative prompt told apart by where they lead", () => {
    const { form } = suggested({
      "1": { class_type: "Encode", inputs: { text: "blurry", clip: ["9", 0] } },
      "2": { class_type: "Encode", inputs: { text: "a pear", clip: ["9", 0] }, _meta: { title: "Encode" } },
      "3": { class_type: "Combine", inputs: { one: ["2", 0], two: ["4", 0] } },
      "4": { class_type: "Encode", inputs: { text: "on a table", clip: ["9", 0] }, _meta: { title: "Where" } },
      "5": {
        class_type: "Sampler",
        inputs: { positive: ["3", 0], negative: ["1", 0], seed: 5, steps: 20, sampler: "heun", size: 65 },
      },
      "6": { class_type: "SaveImage", inputs: { images: ["5", 0], filename_prefix: "x" } },
    });
    assert.deepEqual(locations(form.inputs), [
      "prompt 2.text",
      "where 4.text",
      "negative_prompt 1.text",
      "steps 5.steps",
      "seed 5.seed",
    ]);
  });

  test("with pictures, masks, sounds and films that are loaded, and only the kinds that their classes say", () => {
    const { form, inputs } = suggested({
      "1": { class_type: "LoadImage", inputs: { image: "a.png" }, _meta: { title: "Portrait" } },
      "2": { class_type: "LoadImageMask", inputs: { image: "a.png", channel: "red" } },
      "3": { class_type: "LoadAudio", inputs: { audio: "a.mp3" } },
      "4": { class_type: "LoadVideo", inputs: { file: "a.mp4" } },
      "5": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0xff8800 } },
      "6": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    });
    assert.deepEqual(
      form.inputs.map(({ name, kind }) => [name, kind]),
      [
        ["portrait", "picture"],
        ["image", "mask"],
        ["audio", "sound"],
        ["file", "film"],
        ["width", "integer"],
        ["height", "integer"],
      ],
    );
    const color = inputs.find(({ input }) => input === "color");
    assert.deepEqual([color?.kind, color?.default], ["color", "#ff8800"]);
    assert.deepEqual(inputs.find(({ input }) => input === "channel")?.choices, ["alpha", "red", "green", "blue"]);
  });

  test("for classes that are not known here, by their values", () => {
    const { form, inputs, problems } = suggested({
      "1": {
        class_type: "Gone",
        inputs: { prompt: "x", seed: 5, strength: 0.5, fast: true, deep: { a: 1 }, from: ["0", 0] },
      },
      "2": { class_type: "AlsoGone", inputs: { images: ["1", 0] } },
    });
    assert.deepEqual(
      inputs.map(({ name, kind }) => [name, kind]),
      [
        ["prompt", "text"],
        ["seed", "integer"],
        ["strength", "number"],
        ["fast", "boolean"],
      ],
    );
    assert.deepEqual(locations(form.inputs), ["prompt 1.prompt", "seed 1.seed"]);
    assert.deepEqual(form.outputs, [{ name: "picture", node: "2", label: "Picture" }]);
    assert.deepEqual(problems, []);
  });

  test("a step is left out where the graph's own value is not on it", () => {
    const sampler = (size: number) =>
      suggested({ "5": { class_type: "Sampler", inputs: { size } } }).inputs.find(({ input }) => input === "size");
    assert.equal(sampler(65)?.step, 8);
    assert.equal(sampler(64)?.step, undefined);
  });

  test("a graph without outputs says so", () => {
    const { form, problems } = suggested({ "1": { class_type: "EmptyImage", inputs: { width: 64 } } });
    assert.deepEqual(form.outputs, []);
    assert.deepEqual(problems, ["The workflow has no output node, so there is nothing to return."]);
  });

  test("a huge graph gives a list that ends, and says so", () => {
    const node = { class_type: "AtelierModelImage", inputs: { prompt: "x", seed: 1, width: 64, height: 64 } };
    const graph = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`n${at}`, node]));
    const { form, inputs, problems } = suggested(graph);
    assert.equal(inputs.length, 5_000);
    assert.equal(form.inputs.length, 30);
    assert.match(problems.join(" "), /more values than are listed/);
    assert.equal(new Set(inputs.map(({ name }) => name)).size, 5_000);
  });
});

const slot = (name: string, link: number | null = null, rest: object = {}) => ({ name, type: "*", link, ...rest });
const graphId = "0190a5e0-0000-4000-8000-000000000001";
const painterId = "0190a5e0-0000-4000-8000-000000000002";
// A subgraph that shows words (into two nodes) and a size, and keeps a seed to itself.
const painter = {
  id: painterId,
  name: "Painter",
  inputs: [
    { name: "words", type: "STRING", linkIds: [1, 2] },
    { name: "size", type: "INT", linkIds: [3] },
  ],
  outputs: [{ name: "IMAGE", type: "IMAGE", linkIds: [6] }],
  nodes: [
    { id: 3, type: "Encode", inputs: [slot("clip"), slot("text", 1)], widgets_values: ["one"] },
    { id: 4, type: "Encode", inputs: [slot("clip"), slot("text", 2)], widgets_values: ["one"] },
    {
      id: 5,
      type: "Sampler",
      inputs: [slot("positive", 4), slot("negative", 5), slot("size", 3)],
      widgets_values: [7, "fixed", 20, "euler", 64],
    },
  ],
  links: [
    { id: 1, origin_id: -10, origin_slot: 0, target_id: 3, target_slot: 1 },
    { id: 2, origin_id: -10, origin_slot: 0, target_id: 4, target_slot: 1 },
    { id: 3, origin_id: -10, origin_slot: 1, target_id: 5, target_slot: 2 },
    { id: 4, origin_id: 3, origin_slot: 0, target_id: 5, target_slot: 0 },
    { id: 5, origin_id: 4, origin_slot: 0, target_id: 5, target_slot: 1 },
    { id: 6, origin_id: 5, origin_slot: 0, target_id: -20, target_slot: 0 },
  ],
};
const editorDocument = (linearData?: object) => ({
  id: graphId,
  nodes: [
    {
      id: 12,
      type: painterId,
      title: "My painter",
      inputs: [slot("words", null, { label: "Subject" }), slot("size")],
      widgets_values: ["pears", 128],
    },
    { id: 2, type: "SaveImage", inputs: [slot("images", 9)], widgets_values: ["out"] },
    { id: 8, type: "LoadImage", title: "Portrait", inputs: [], widgets_values: ["a.png", "image"] },
    { id: 6, type: "PreviewImage", inputs: [slot("images", 10)] },
  ],
  links: [
    [9, 12, 0, 2, 0, "IMAGE"],
    [10, 8, 0, 6, 0, "IMAGE"],
  ],
  definitions: { subgraphs: [painter] },
  ...(linearData === undefined ? {} : { extra: { linearData } }),
});

describe("a document of the editor", () => {
  test("one widget that feeds several nodes is one input, under the author's label", () => {
    const { form, inputs } = ofDocument(editorDocument());
    assert.deepEqual(locations(form.inputs), [
      "subject 12:3.text 12:4.text",
      "portrait 8.image",
      "steps 12:5.steps",
      "seed 12:5.seed",
    ]);
    assert.deepEqual(locations(inputs).sort(), [
      "filename_prefix 2.filename_prefix",
      "portrait 8.image",
      "sampler 12:5.sampler",
      "seed 12:5.seed",
      "size 12:5.size",
      "steps 12:5.steps",
      "subject 12:3.text 12:4.text",
    ]);
  });

  test("its app mode is the form, in every way that editors have named places", () => {
    const read = (linearData: object) => {
      const { form, source, problems } = ofDocument(editorDocument(linearData));
      return { source, inputs: locations(form.inputs), outputs: form.outputs.map(({ node }) => node), problems };
    };
    const inputs = [
      [8, "image"],
      ["12", "words"],
      [`${graphId}:12:size`, "size"],
      [`${graphId}:2:filename%5Fprefix`, "filename_prefix"],
      // A node inside a subgraph by its own id.
      [5, "seed", { height: 90 }],
    ];
    assert.deepEqual(read({ inputs, outputs: [6, "2"] }), {
      source: "app_mode",
      inputs: [
        "portrait 8.image",
        "subject 12:3.text 12:4.text",
        "size 12:5.size",
        "filename_prefix 2.filename_prefix",
        "seed 12:5.seed",
      ],
      outputs: ["6", "2"],
      problems: [],
    });
    assert.deepEqual(read({ inputs: [[`${painterId}:12`, "size"]] }).inputs, ["size 12:5.size"]);
    assert.deepEqual(read({ inputs: [[`${painterId}:12`, "size"]] }).outputs, ["2"]);
    assert.deepEqual(read({ inputs: [["12:5", "steps"]] }).inputs, ["steps 12:5.steps"]);
    assert.equal(read({ inputs: [], outputs: [] }).source, "inferred");
  });

  test("what an app mode says about an input is kept, and what cannot be found is reported", () => {
    const { form, problems } = ofDocument(
      editorDocument({
        inputs: [[8, "image", { description: "A face." }], [8, "image"], [99, "gone"], "?", [null, "x"]],
        outputs: [99, {}, 2],
      }),
    );
    assert.deepEqual(
      form.inputs.map(({ label, description }) => [label, description]),
      [["Portrait", "A face."]],
    );
    assert.deepEqual(form.outputs, [{ name: "picture", node: "2", label: "Picture" }]);
    assert.deepEqual(problems, [
      "Input 4 of the app mode cannot be read.",
      "Input 5 of the app mode cannot be read.",
      "Output 2 of the app mode cannot be read.",
      "The app mode sets gone of node 99, which has no value in the graph that runs.",
      "The app mode shows node 99, which is not an output that runs.",
    ]);
  });
});

describe("whatever is in the document and the graph", () => {
  test("the form has the shape of the wire, fits the graph, and nothing throws", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("__proto__", "outputs_as", "", "É 2", "a".repeat(300)),
    );
    const literal = fc.oneof(
      fc.bigInt(),
      fc.string(),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const link = fc.tuple(text, fc.nat(3));
    const node = fc.record({
      class_type: fc.constantFrom("AtelierModelImage", "LoadImage", "SaveImage", "Sampler", "Gone", "__proto__"),
      inputs: fc.oneof(
        fc.dictionary(fc.oneof(text, fc.constantFrom("prompt", "seed", "images", "image")), fc.oneof(literal, link), {
          noNullPrototype: true,
        }),
        fc.constant(null),
      ),
      _meta: fc.oneof(fc.record({ title: text }), fc.anything({ maxDepth: 1, withBigInt: false })),
    });
    const graphs = fc.dictionary(text, node, { noNullPrototype: true });
    const entry = fc.oneof(fc.tuple(fc.oneof(text, fc.nat()), text), fc.anything({ maxDepth: 1, withBigInt: false }));
    const documents = fc.record({
      nodes: fc.array(
        fc.record({ id: fc.nat(5), type: text, title: text, inputs: fc.array(fc.record({ name: text, label: text })) }),
      ),
      extra: fc.record({
        linearData: fc.record({ inputs: fc.array(entry), outputs: fc.array(fc.oneof(text, fc.nat())) }),
      }),
    });
    fc.assert(
      fc.property(graphs, documents, (value, document) => {
        const graph = parseJson(Buffer.from(writeExactJson(value)), { halves: "keep" });
        const { form, inputs, outputs } = suggestForm({
          graph,
          document: { value: document, exactIntegers: new Map() },
          classes,
        });
        const all = { inputs: inputs.slice(0, 200), outputs: outputs.slice(0, 50) };
        for (const one of [form, all]) {
          if (one.outputs.length === 0) continue;
          const read = tryReadForm(parseJson(Buffer.from(writeForm(one)), { halves: "keep" }));
          assert.ok(read.ok, writeExactJson(read));
          assert.deepEqual(checkForm(read.form, graph, classes), []);
        }
      }),
      { numRuns: 300 },
    );
  });
});

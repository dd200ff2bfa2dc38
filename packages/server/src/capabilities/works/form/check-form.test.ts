import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { checkForm } from "./check-form.ts";
import { completeForm } from "./complete-form.ts";
import { fillGraph } from "./fill-graph.ts";
import { formSchema } from "./form-schema.ts";
import { readForm, tryReadForm } from "./read-form.ts";
import type { FormInput, WorkForm } from "./work-form.ts";

const descriptions = new Map<string, unknown>([
  [
    "Painter",
    {
      input: {
        required: {
          model: ["MODEL"],
          seed: ["INT", { default: 0, min: 0, max: 2n ** 64n - 1n, control_after_generate: true }],
          cfg: ["FLOAT", { default: 8, min: 0, max: 100, step: 0.1 }],
          prompt: ["STRING", { multiline: true }],
          sampler: [["euler", "heun"], {}],
          tiled: ["BOOLEAN", { default: false }],
          paint: ["INT", { default: 0, min: 0, max: 0xffffff, display: "color" }],
          image: [["a.png"], { image_upload: true }],
          note: ["STRING", { forceInput: true }],
        },
      },
      output: ["IMAGE"],
      output_node: false,
      display_name: "Painter",
    },
  ],
  ["Save", { input: { required: { images: ["IMAGE"] } }, output: [], output_node: true }],
]);
const classes = { descriptions };
const graph = parseJson(
  Buffer.from(
    writeExactJson({
      "1": {
        class_type: "Painter",
        inputs: { model: ["7", 0], seed: 2n ** 60n + 1n, cfg: 7.5, prompt: "pear", sampler: "euler", paint: 0xff8800 },
      },
      "2": { class_type: "Save", inputs: { images: ["1", 0] } },
      "3": { class_type: "Unknown", inputs: { size: 5 } },
    }),
  ),
);
const input = (given: Partial<FormInput> = {}): FormInput => ({
  name: "prompt",
  node: "1",
  input: "prompt",
  kind: "text",
  ...given,
});
const outputs = [{ name: "picture", node: "2" }];
const problemsOf = (...inputs: FormInput[]) =>
  checkForm({ inputs, outputs }, graph, classes).map(({ path, message }) => `${path} ${message}`);

describe("a form that fits", () => {
  test("has no problems", () => {
    const inputs = [
      input({ multiline: true, minimum: 1, maximum: 500, default: "plum" }),
      input({ name: "seed", input: "seed", kind: "integer", random: true, maximum: 2n ** 64n - 1n }),
      input({ name: "cfg", input: "cfg", kind: "number", minimum: 1, maximum: 20, step: 0.5, default: 7.5 }),
      input({ name: "sampler", input: "sampler", kind: "choice", choices: ["heun"], default: "heun" }),
      input({ name: "tiled", input: "tiled", kind: "boolean", default: true }),
      input({ name: "paint", input: "paint", kind: "color", default: "#00ff00" }),
      input({ name: "photo", input: "image", kind: "picture" }),
      input({ name: "size", node: "3", input: "size", kind: "integer" }),
    ];
    assert.deepEqual(problemsOf(...inputs), []);
  });

  test("takes its defaults from the graph and its choices from the class", () => {
    const form = {
      inputs: [
        input(),
        input({ name: "seed", input: "seed", kind: "integer" }),
        input({ name: "random", input: "seed", kind: "integer", random: true }),
        input({ name: "sampler", input: "sampler", kind: "choice" }),
        input({ name: "paint", input: "paint", kind: "color" }),
        input({ name: "photo", input: "image", kind: "picture" }),
      ],
      outputs,
    };
    const completed = completeForm(form, graph, classes).inputs.map(({ default: standard, choices }) => [
      standard,
      choices,
    ]);
    assert.deepEqual(completed, [
      ["pear", undefined],
      [2n ** 60n + 1n, undefined],
      [undefined, undefined],
      ["euler", ["euler", "heun"]],
      ["#ff8800", undefined],
      [undefined, undefined],
    ]);
  });
});

describe("a form that does not fit is refused with the place", () => {
  const cases: readonly (readonly [FormInput, string])[] = [
    [input({ node: "99" }), "/node is not a node of the workflow"],
    [input({ node: "__proto__" }), "/node is not a node of the workflow"],
    [input({ node: "constructor" }), "/node is not a node of the workflow"],
    [input({ input: "nothing" }), "/input is not an input of node 1"],
    [input({ input: "toString" }), "/input is not an input of node 1"],
    [input({ input: "model" }), "/input is linked to another node, so it has no value to set"],
    [input({ input: "note" }), "/kind cannot be text: the node takes only a link there"],
    [input({ input: "seed" }), "/kind cannot be text: the node takes an integer"],
    [input({ kind: "picture" }), "/kind cannot be picture: the node takes a text"],
    [input({ input: "image", kind: "integer" }), "/kind cannot be integer: the node takes a file"],
    [input({ name: "outputs_as" }), "/name cannot be outputs_as, which says how outputs are returned"],
    [input({ minimum: 5, maximum: 4 }), "/maximum is less than the minimum"],
    [input({ minimum: -1 }), "/minimum must not be negative"],
    [input({ step: 2 }), "/step has no meaning for a text"],
    [input({ input: "seed", kind: "integer", step: 0 }), "/step must be greater than 0"],
    [input({ input: "seed", kind: "integer", minimum: 0.5 }), "/minimum must be an integer"],
    [input({ input: "seed", kind: "integer", maximum: 2n ** 64n }), "/maximum must be at most 18446744073709551615"],
    [input({ input: "sampler", kind: "choice", choices: ["ddim"] }), "/choices/0 is not a choice of the node"],
    [input({ input: "sampler", kind: "choice", choices: ["heun", "heun"] }), "/choices/1 is there twice"],
    [input({ kind: "choice" }), "/choices is missing, and the node has no list of its own"],
    [input({ kind: "choice", choices: [5] }), "/choices/0 must be a text"],
    [input({ choices: ["a"] }), "/choices has no meaning for a text"],
    [input({ input: "sampler", kind: "choice", default: "ddim" }), "/default must be one of the choices"],
    [input({ default: 5 }), "/default must be a text"],
    [input({ input: "cfg", kind: "number", step: 0.5, default: 7.3 }), "/default must be a multiple of 0.5"],
    [input({ random: true }), "/random is for integers only"],
    [
      input({ input: "seed", kind: "integer", random: true, required: true }),
      "/random has no meaning for an input that callers must give",
    ],
    [input({ input: "tiled", kind: "boolean", multiline: true }), "/multiline is for texts only"],
  ];
  for (const [one, problem] of cases)
    test(problem, () => {
      assert.deepEqual(problemsOf(one), [`/form/inputs/0${problem}`]);
    });

  test("two inputs of one name, or of one place", () => {
    assert.deepEqual(problemsOf(input(), input({ input: "seed", kind: "integer" })), [
      "/form/inputs/1/name is already the name of input 1",
    ]);
    assert.deepEqual(problemsOf(input(), input({ name: "other" })), ["/form/inputs/1/input is already set by input 1"]);
  });

  test("further places of one value", () => {
    const others = ["cfg", "seed", "prompt", "model"].map((each) => ({ node: "1", input: each }));
    assert.deepEqual(problemsOf(input({ also: [...others, { node: "9", input: "x" }] })), [
      "/form/inputs/0/also/0/kind cannot be text: the node takes a number",
      "/form/inputs/0/also/1/kind cannot be text: the node takes an integer",
      "/form/inputs/0/also/2/input is already set by input 1",
      "/form/inputs/0/also/3/input is linked to another node, so it has no value to set",
      "/form/inputs/0/also/4/node is not a node of the workflow",
    ]);
  });

  test("more places of one value than a form can have", () => {
    const also = Array.from({ length: 51 }, (_, at) => ({ node: "3", input: `size${at}` }));
    assert.equal(problemsOf(input({ also }))[0], "/form/inputs/0/also must not have more than 50 items");
  });

  test("outputs that are not there, make nothing, or are there twice", () => {
    const given = ["2", "2", "1", "99"].map((node, at) => ({ name: at === 1 ? "o0" : `o${at}`, node }));
    assert.deepEqual(checkForm({ inputs: [], outputs: given }, graph, classes), [
      { path: "/form/outputs/1/name", message: "is already the name of output 1" },
      { path: "/form/outputs/1/node", message: "is already output 1" },
      { path: "/form/outputs/2/node", message: "is not an output node: it saves and shows nothing" },
      { path: "/form/outputs/3/node", message: "is not a node of the workflow" },
    ]);
  });
});

describe("hostile forms", () => {
  test("10,000 inputs are refused when they are read, and checked in one pass", () => {
    const inputs = Array.from({ length: 10_000 }, (_, at) => input({ name: `n${at}`, input: `x${at}` }));
    const read = tryReadForm({ value: { inputs, outputs }, exactIntegers: new Map() });
    assert.ok(!read.ok);
    assert.deepEqual(read.problems, [{ path: "/form/inputs", message: "must not have more than 200 items" }]);
    assert.equal(checkForm({ inputs, outputs }, graph, classes).length, 10_000);
  });

  test("names are refused with their place when they are read", () => {
    for (const name of ["__proto__", "Prompt", "a b", "", "1st", "ö", "a".repeat(65), "a\n", "</script>"]) {
      const read = tryReadForm({ value: { inputs: [input({ name })], outputs }, exactIntegers: new Map() });
      assert.ok(!read.ok && read.problems.every(({ path }) => path === "/form/inputs/0/name"), name);
    }
    assert.throws(() => readForm({ value: { inputs: [input({ name: "A" })], outputs }, exactIntegers: new Map() }), {
      code: "validation_failed",
    });
  });

  test("nothing throws, whatever is in the form, the graph and the classes", () => {
    const anything = fc.anything({ withBigInt: true, maxDepth: 3 });
    const hostile = fc.constantFrom("__proto__", "constructor", "inputs", "1", "", "required");
    const record = fc.dictionary(hostile, anything, { noNullPrototype: true });
    const one = fc.record({
      name: fc.constantFrom("a", "constructor", "outputs_as"),
      node: fc.oneof(hostile, fc.string()),
      input: fc.oneof(hostile, fc.string()),
      kind: fc.constantFrom("text", "number", "integer", "choice", "boolean", "color", "picture", "file"),
      default: anything,
      minimum: fc.oneof(fc.double(), fc.bigInt()),
      step: fc.oneof(fc.double(), fc.bigInt()),
      choices: fc.array(fc.oneof(fc.string(), fc.double(), fc.bigInt())),
      random: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one), record, record, anything, (inputs, nodes, description, value) => {
        const form = { inputs, outputs: [{ name: "a", node: "1" }] } as unknown as WorkForm;
        const known = { descriptions: new Map<string, unknown>([["C", { input: description, output_node: 1 }]]) };
        const hosted = { value: { ...nodes, "1": { class_type: "C", inputs: nodes } }, exactIntegers: new Map() };
        checkForm(form, hosted, known);
        completeForm(form, hosted, known);
        formSchema(form);
        fillGraph({ graph: hosted, form, inputs: { a: value }, random: () => 0n, files: new Map() });
        tryReadForm({ value, exactIntegers: new Map() });
      }),
    );
  });
});

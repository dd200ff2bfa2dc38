import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { builtInClasses } from "./built-in-classes.ts";
import { validateGraph } from "./validate-graph.ts";

const empty = (overrides: object = {}) => ({
  class_type: "EmptyImage",
  inputs: { width: 8, height: 8, batch_size: 1, color: 0, ...overrides },
});
const save = (source: string, index = 0) => ({
  class_type: "SaveImage",
  inputs: { images: [source, index], filename_prefix: "a" },
});

function errorsOf(graph: unknown, id: string) {
  return validateGraph(graph).nodeErrors[id]?.errors ?? [];
}

test("a graph that can run has no problem, and names the nodes its outputs need", () => {
  const verdict = validateGraph({ "1": empty(), "2": save("1"), "3": empty() });
  assert.deepEqual(verdict, { ok: true, problem: null, nodeErrors: {}, outputs: ["2"], nodes: ["1", "2"] });
});

test("something that is not a graph is refused in the application's words", () => {
  const problemOf = (graph: unknown) => validateGraph(graph).problem;
  assert.equal(problemOf(null)?.type, "no_prompt");
  assert.equal(problemOf([])?.type, "no_prompt");
  assert.deepEqual(problemOf({}), {
    type: "prompt_no_outputs",
    message: "Prompt has no outputs",
    details: "",
    extra_info: {},
  });
  assert.equal(problemOf({ "1": empty() })?.type, "prompt_no_outputs");
  assert.deepEqual(problemOf({ "1": { inputs: {} } }), {
    type: "invalid_prompt",
    message: "Cannot execute because a node is missing the class_type property.",
    details: "Node ID '#1'",
    extra_info: {},
  });
  assert.match(problemOf({ "1": { class_type: "EmptyImage" } })?.message ?? "", /missing the inputs property/);
});

test("every unknown class is named with its node", () => {
  const verdict = validateGraph({
    "1": { class_type: "Nope", inputs: {} },
    "2": save("1"),
    "3": { class_type: "constructor", inputs: {} },
  });
  assert.equal(verdict.problem?.message, "Cannot execute because node Nope does not exist.");
  assert.deepEqual(Object.keys(verdict.nodeErrors), ["1", "3"]);
});

test("missing inputs and values out of range are reported per node, as the application does", () => {
  const graph = { "1": { class_type: "EmptyImage", inputs: { width: 8, height: 0, batch_size: 1 } }, "2": save("1") };
  const verdict = validateGraph(graph);
  assert.deepEqual(verdict.nodeErrors, {
    "1": {
      errors: [
        {
          type: "value_smaller_than_min",
          message: "Value 0 smaller than min of 1",
          details: "height",
          extra_info: {
            input_name: "height",
            input_config: ["INT", { default: 512, min: 1, max: 16384, step: 1 }],
            received_value: 0,
          },
        },
        {
          type: "required_input_missing",
          message: "Required input is missing",
          details: "color",
          extra_info: { input_name: "color" },
        },
      ],
      dependent_outputs: ["2"],
      class_type: "EmptyImage",
    },
  });
  assert.equal(verdict.problem?.type, "prompt_outputs_failed_validation");
});

test("values beyond the maximum, not on the list and of another type are reported", () => {
  assert.equal(
    errorsOf({ "1": empty({ width: 99999 }), "2": save("1") }, "1")[0]?.message,
    "Value 99999 bigger than max of 16384",
  );
  const scale = {
    class_type: "ImageScale",
    inputs: { image: ["1", 0], upscale_method: "zzz", width: 8, height: 8, crop: "disabled" },
  };
  const [problem] = errorsOf({ "1": empty(), "3": scale, "4": save("3") }, "3");
  assert.equal(
    problem?.details,
    "upscale_method: 'zzz' not in ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos']",
  );
  assert.deepEqual(problem?.extra_info["received_value"], "zzz");
  assert.equal(errorsOf({ "1": empty({ width: "wide" }), "2": save("1") }, "1")[0]?.type, "invalid_input_type");
  assert.equal(errorsOf({ "1": empty({ width: null }), "2": save("1") }, "1")[0]?.type, "invalid_input_type");
  const picture = { class_type: "SaveImage", inputs: { images: "a.png", filename_prefix: "a" } };
  assert.equal(errorsOf({ "1": picture }, "1")[0]?.message, "Failed to convert an input value to a IMAGE value");
});

test("numbers may be written as text, and seeds may have all 64 bits", () => {
  assert.ok(validateGraph({ "1": empty({ width: "64", height: 8.9 }), "2": save("1") }).ok);
  const noise = {
    class_type: "ImageAddNoise",
    inputs: { image: ["1", 0], seed: 18446744073709551615n, strength: 0.5 },
  };
  assert.ok(validateGraph({ "1": empty(), "2": noise, "3": save("2") }).ok);
});

test("links to a missing node, a missing output or another type are reported", () => {
  const linkError = (link: unknown, more: object = {}) => {
    const node = { class_type: "SaveImage", inputs: { images: link, filename_prefix: "a" } };
    return errorsOf({ "1": empty(), "2": node, ...more }, "2")[0];
  };
  assert.match(linkError(["9", 0])?.message ?? "", /there is no node '9'/);
  assert.match(linkError(["1", 5])?.message ?? "", /node '1' has no output 5/);
  assert.match(linkError(["1", -1])?.message ?? "", /no output -1/);
  assert.match(linkError(["__proto__", 0])?.message ?? "", /there is no node/);
  assert.equal(linkError(["1"])?.message, "Bad linked input, must be a length-2 list of [node_id, slot_index]");
  const mask = { class_type: "SolidMask", inputs: { value: 1, width: 8, height: 8 } };
  const mismatch = linkError(["3", 0], { "3": mask });
  assert.equal(mismatch?.type, "return_type_mismatch");
  assert.equal(mismatch?.details, "images, received_type(MASK) mismatch input_type(IMAGE)");
});

test("a broken branch names its outputs, and the others could still run", () => {
  const verdict = validateGraph({
    "1": empty(),
    "2": save("1"),
    "3": empty({ color: -1 }),
    "4": save("3"),
    "5": save("3"),
  });
  assert.equal(verdict.ok, false);
  assert.deepEqual(verdict.outputs, ["2"]);
  assert.deepEqual([...verdict.nodes].sort(), ["1", "2"]);
  assert.deepEqual(verdict.nodeErrors["3"]?.dependent_outputs, ["4", "5"]);
});

test("a cycle is found and reported, even between two distant nodes", () => {
  const invert = (source: string) => ({ class_type: "ImageInvert", inputs: { image: [source, 0] } });
  const verdict = validateGraph({ "1": invert("3"), "2": invert("1"), "3": invert("2"), "4": save("3") });
  const [problem] = Object.values(verdict.nodeErrors)[0]?.errors ?? [];
  assert.equal(problem?.type, "dependency_cycle");
  assert.deepEqual([...(problem?.details.split(" → ") ?? [])].sort(), ["1", "2", "3"]);
  assert.deepEqual(verdict.outputs, []);
  assert.ok(!validateGraph({ "1": invert("1"), "2": save("1") }).ok);
});

test("files are checked when the host knows them, and asset references are left to the host", () => {
  const load = (image: unknown) => ({ "1": { class_type: "LoadImage", inputs: { image } }, "2": save("1") });
  const options = { fileExists: (name: string) => name === "here.png" };
  assert.ok(validateGraph(load("here.png"), options).ok);
  const [problem] = validateGraph(load("nope.png"), options).nodeErrors["1"]?.errors ?? [];
  assert.equal(problem?.type, "custom_validation_failed");
  assert.equal(problem?.details, "image - Invalid image file: nope.png");
  assert.ok(validateGraph(load({ __type: "core/ASSET", info: { id: "x" } }), options).ok);
  for (const bad of [{ __type: "core/ASSET" }, { __type: "core/ASSET", info: {} }, {}, 5, ""]) {
    assert.ok(!validateGraph(load(bad), options).ok, JSON.stringify(bad));
  }
});

test("only the requested outputs are checked", () => {
  const graph = { "1": empty(), "2": save("1"), "3": empty({ color: -1 }), "4": save("3") };
  assert.ok(validateGraph(graph, { outputs: ["2"] }).ok);
  assert.equal(validateGraph(graph, { outputs: ["1"] }).problem?.type, "prompt_no_outputs");
});

test("a chain of ten thousand nodes is checked, one more is refused", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 9_998 }, (_, at) => [
      `${at + 1}`,
      { class_type: "ImageInvert", inputs: { image: [`${at}`, 0] } },
    ]),
  );
  const graph = { "0": empty(), ...chain, last: save("9998") };
  assert.ok(validateGraph(graph).ok);
  assert.equal(validateGraph({ ...graph, more: empty() }).problem?.type, "graph_too_large");
});

test("a thousand broken nodes are not all reported", () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`${at}`, { class_type: "SaveImage", inputs: {} }]),
  );
  assert.equal(Object.keys(validateGraph(nodes).nodeErrors).length, 100);
});

test("every input gets a verdict that can be written as JSON", () => {
  const node = fc.record({
    class_type: fc.constantFrom(...builtInClasses.keys(), "Nope"),
    inputs: fc.dictionary(
      fc.constantFrom("image", "images", "width", "mask", "filename_prefix", "color", "__proto__"),
      fc.oneof(fc.jsonValue(), fc.tuple(fc.constantFrom("1", "2", "3"), fc.integer({ min: -1, max: 2 }))),
    ),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom("1", "2", "3"), node)), (graph) => {
      const verdict = validateGraph(graph);
      assert.ok(JSON.stringify(verdict).length > 0);
      assert.equal(verdict.ok, verdict.problem === null);
    }),
    { numRuns: 500 },
  );
});

test("a seed ends at 2⁶⁴ − 1 exactly, and one read as a plain number is not refused for its rounding", () => {
  const problemsOf = (seed: unknown) => {
    const noise = { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed, strength: 0.5 } };
    return errorsOf({ "1": empty(), "2": noise, "3": save("2") }, "2").map(({ type }) => type);
  };
  for (const seed of [0, 2n ** 64n - 1n, "18446744073709551615", Number("18446744073709551615")]) {
    assert.deepEqual(problemsOf(seed), [], String(seed));
  }
  for (const seed of [2n ** 64n, "18446744073709551616", 2 ** 65]) {
    assert.deepEqual(problemsOf(seed), ["value_bigger_than_max"], String(seed));
  }
  assert.deepEqual(problemsOf(-1), ["value_smaller_than_min"]);
});

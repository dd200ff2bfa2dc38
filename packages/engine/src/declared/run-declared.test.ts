// A declared class runs in the engine like any other: its call goes through the host, and its answer becomes values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runGraph } from "../../test/support/run-graph.ts";
import { pngOf } from "../classes/image-sinks.ts";
import type { ModelAnswer, ModelCall } from "../engine-host.ts";
import { ResultCache } from "../execution/result-cache.ts";
import type { Graph } from "../graph/graph.ts";
import { validateGraph } from "../graph/validate-graph.ts";
import { classSet } from "./class-set.ts";
import type { NodeDeclaration } from "./declaration.ts";
import { describeDeclared } from "./describe-declared.ts";

const declared: NodeDeclaration = {
  name: "MinePicture",
  category: "partner",
  description: "A class.",
  input: {
    required: {
      prompt: ["STRING", { default: "" }],
      mode: [
        "COMFY_DYNAMICCOMBO_V3",
        {
          options: [
            { key: "slow", inputs: { required: { steps: ["INT", { default: 4, min: 1, max: 9 }] } } },
            { key: "fast", inputs: { required: { steps: ["INT", { default: 1, min: 1, max: 2 }] } } },
          ],
        },
      ],
    },
    optional: { images: ["IMAGE", {}], strength: ["FLOAT", { default: 0.5, min: 0, max: 1 }] },
  },
  outputs: [
    { type: "IMAGE", name: "IMAGE", from: ["/data/*/b64"] },
    { type: "STRING", name: "text", from: ["/said/*"], otherwise: "nothing" },
  ],
  calls: [
    {
      when: { mode: { is: ["slow"] } },
      model: "mine/slow",
      body: {
        prompt: { $input: "prompt" },
        steps: { $input: "mode.steps" },
        strength: { $input: "strength" },
        images: { $each: "images", give: { $item: "data_url" } },
      },
    },
    { when: { mode: { is: ["fast"] } }, model: "mine/fast", body: { prompt: { $input: "prompt" } } },
  ],
};

const picture = {
  kind: "image",
  batch: 1,
  height: 2,
  width: 3,
  channels: 3,
  data: new Float32Array(18).fill(1),
} as const;
const json = (value: unknown): ModelAnswer => ({
  contentType: "application/json",
  bytes: Buffer.from(JSON.stringify(value)),
});

async function run(
  inputs: Record<string, unknown>,
  answer?: ModelAnswer,
  more: { cache?: ResultCache; by?: NodeDeclaration } = {},
) {
  const calls: ModelCall[] = [];
  const b64 = (await pngOf(picture, { compressionLevel: 1 })).toString("base64");
  const graph: Graph = {
    "1": { class_type: "MinePicture", inputs: { prompt: "p", mode: "slow", "mode.steps": 4, ...inputs } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    "3": { class_type: "PreviewAny", inputs: { source: ["1", 1] } },
    "9": { class_type: "EmptyImage", inputs: { width: 4, height: 4, batch_size: 2, color: 255 } },
    "8": { class_type: "PrimitiveInt", inputs: { value: 12 } },
  };
  const ran = await runGraph(graph, {
    declared: [more.by ?? declared],
    ...(more.cache ? { cache: more.cache } : {}),
    services: {
      async callModel(call) {
        calls.push(call);
        return answer ?? json({ data: [{ b64 }, { b64: `data:image/png;base64,${b64}` }], said: ["a", "b"] });
      },
    },
  });
  return { ...ran, calls, bodies: calls.map(({ input }) => JSON.parse(Buffer.from(input).toString("utf8"))) };
}

test("values become the model's input, and pictures and texts of the answer become outputs", async () => {
  const { result, calls, bodies, saved } = await run({ images: ["9", 0] });
  assert.equal(result.status, "succeeded", JSON.stringify(result));
  assert.equal(calls.length, 1);
  assert.equal(calls[0]?.model, "mine/slow");
  assert.match(calls[0]?.callKey ?? "", /^job:job:1:[0-9a-f]{64}$/);
  const [{ images, ...body }] = bodies;
  assert.deepEqual(body, { prompt: "p", steps: 4, strength: 0.5 });
  assert.deepEqual(
    images.map((each: string) => each.slice(0, 22)),
    Array(2).fill("data:image/png;base64,"),
  );
  assert.equal(saved.filter(({ kind }) => kind === "image").length, 2);
  assert.equal(Buffer.from(saved.find(({ kind }) => kind === "text")?.bytes ?? []).toString(), "a\nb");
});

test("a value beyond its limits, also over a link, is refused before anything is called", async () => {
  for (const inputs of [
    { "mode.steps": ["8", 0] },
    { "mode.steps": 12 },
    { mode: "fast", "mode.steps": 3 },
    { mode: "none" },
  ]) {
    const { result, calls } = await run(inputs);
    assert.equal(result.status, "failed", JSON.stringify(inputs));
    assert.equal(calls.length, 0);
  }
});

test("a file that is larger than the partner takes is refused before anything is called", async () => {
  const limited = (bytes_max: number): NodeDeclaration => ({
    ...declared,
    calls: [{ model: "mine/slow", body: { images: { $each: "images", give: { $item: "base64", bytes_max } } } }],
  });
  const { result, calls } = await run({ images: ["9", 0] }, undefined, { by: limited(20) });
  assert.ok(result.status === "failed");
  assert.match(result.failure.message, /the partner takes at most 0 MB. Use a smaller one/);
  assert.equal(calls.length, 0);
  assert.equal((await run({ images: ["9", 0] }, undefined, { by: limited(20_000) })).result.status, "succeeded");
});

test("an answer of another shape fails the node and says what is missing", async () => {
  for (const [answer, words] of [
    [json({ data: [] }), /has no picture where MinePicture looks for it: \/data\/\*\/b64/],
    [json({ data: [{ b64: "aGVsbG8=" }] }), /not a picture/],
    [{ contentType: "application/json", bytes: Buffer.from("<html>") }, /is not JSON/],
    [{ contentType: "image/png", bytes: Buffer.from("x") }, /has no picture/],
  ] as const) {
    const { result } = await run({}, answer);
    assert.ok(result.status === "failed");
    assert.match(result.failure.message, words);
  }
});

test("vector pictures and 3D models pass through as files, and nothing else passes for one", async () => {
  const outputs = [
    { type: "SVG", name: "SVG", from: ["/pictures/*"] },
    { type: "FILE_3D_GLB", name: "GLB", from: ["/model"] },
  ] as const;
  const by: NodeDeclaration = { ...declared, name: "MineFiles", outputs };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const [svg, glb] = [base64("<?xml version='1.0'?><svg width='1'></svg>"), base64("glTF rest")];
  const graph: Graph = {
    "1": { class_type: "MineFiles", inputs: { prompt: "p", mode: "fast", "mode.steps": 1 } },
    "2": { class_type: "SaveSVGNode", inputs: { svg: ["1", 0], filename_prefix: "x" } },
    "3": { class_type: "SaveGLB", inputs: { mesh: ["1", 1], filename_prefix: "model" } },
  };
  const answered = (answer: unknown) =>
    runGraph(graph, { declared: [by], services: { callModel: async () => json(answer) } });
  const { result, saved } = await answered({ pictures: [svg, `data:image/svg+xml;base64,${svg}`], model: glb });
  assert.equal(result.status, "succeeded", JSON.stringify(result));
  assert.deepEqual(saved.map(({ name, kind }) => [name, kind]).sort(), [
    ["model_00001_.glb", "file"],
    ["x_00001_.svg", "image"],
    ["x_00002_.svg", "image"],
  ]);
  for (const [answer, words] of [
    [{ pictures: [glb], model: glb }, /is not a vector picture/],
    [{ pictures: [svg], model: svg }, /is not a 3D model/],
    [{ pictures: [], model: glb }, /has no vector picture where MineFiles looks for it/],
  ] as const) {
    const { result: refused } = await answered(answer);
    assert.ok(refused.status === "failed");
    assert.match(refused.failure.message, words);
  }
});

// As voices, styles and colours of partners are.
const giving: NodeDeclaration = {
  name: "MineColor",
  category: "partner",
  description: "A colour, after those before it.",
  input: { required: { red: ["INT", { default: 0, min: 0, max: 255 }] }, optional: { before: ["MINE_COLOR", {}] } },
  outputs: [],
  calls: [],
  values: [{ type: "MINE_COLOR", name: "color", gives: [{ $items: "before" }, { red: { $input: "red" } }] }],
};
const taking: NodeDeclaration = {
  name: "MineColored",
  category: "partner",
  description: "A text in colours.",
  input: { required: { prompt: ["STRING", {}] }, optional: { colors: ["MINE_COLOR", {}] } },
  outputs: [{ type: "STRING", name: "text", from: ["/said"] }],
  calls: [
    {
      model: "mine/text",
      body: { prompt: { $input: "prompt" }, first: { $input: "colors", at: "/0/red" }, all: { $input: "colors" } },
    },
  ],
};
const colored = (colors: unknown): Graph => ({
  "1": { class_type: "MineColor", inputs: { red: 7 } },
  "2": { class_type: "MineColor", inputs: { red: 9, before: ["1", 0] } },
  "3": { class_type: "MineColored", inputs: { prompt: "p", colors } },
  "4": { class_type: "PreviewAny", inputs: { source: ["3", 0] } },
  "5": { class_type: "EmptyImage", inputs: { width: 4, height: 4, batch_size: 1, color: 1 } },
});

test("a class that calls no model gives values to others, and costs nothing", async () => {
  const bodies: unknown[] = [];
  const { result } = await runGraph(colored(["2", 0]), {
    declared: [giving, taking],
    services: {
      async callModel({ input }) {
        bodies.push(JSON.parse(Buffer.from(input).toString("utf8")));
        return json({ said: "yes" });
      },
    },
  });
  assert.equal(result.status, "succeeded", JSON.stringify(result));
  assert.deepEqual(bodies, [{ prompt: "p", first: 7, all: [{ red: 7 }, { red: 9 }] }]);
  const { callsModel, isPartner } = describeDeclared(giving);
  assert.deepEqual([callsModel, isPartner], [undefined, undefined]);
});

test("only what gives such a value can be linked to its socket", () => {
  const classes = classSet([giving, taking]).of("0.30");
  const problems = (colors: unknown) =>
    Object.values(validateGraph(colored(colors), { profile: "0.30", classes }).nodeErrors).flatMap(({ errors }) =>
      errors.map(({ type }) => type),
    );
  assert.deepEqual(problems(["2", 0]), []);
  assert.deepEqual(problems(["5", 0]), ["return_type_mismatch"]);
});

test("an unchanged node is not called again, and a changed declaration is", async () => {
  const cache = new ResultCache(64 * 1024 ** 2);
  assert.equal((await run({}, undefined, { cache })).calls.length, 1);
  assert.equal((await run({}, undefined, { cache })).calls.length, 0);
  const [slow, ...others] = declared.calls;
  assert.ok(slow);
  const by = { ...declared, calls: [{ ...slow, body: { ...slow.body, extra: 1 } }, ...others] };
  assert.equal((await run({}, undefined, { cache, by })).calls.length, 1);
});

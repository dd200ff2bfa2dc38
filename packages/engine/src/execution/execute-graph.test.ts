import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import sharp from "sharp";
import { type GraphRun, runGraph } from "../../test/support/run-graph.ts";
import type { Graph } from "../graph/graph.ts";
import { ResultCache } from "./result-cache.ts";

const empty = (color = 0, size = 8) => ({
  class_type: "EmptyImage",
  inputs: { width: size, height: size, batch_size: 1, color },
});
const invert = (source: string) => ({ class_type: "ImageInvert", inputs: { image: [source, 0] } });
const save = (source: string, filename_prefix = "a") => ({
  class_type: "SaveImage",
  inputs: { images: [source, 0], filename_prefix },
});
const chain: Graph = { "1": empty(), "2": invert("1"), "3": save("2"), "4": invert("1") };

const failureOf = ({ result }: GraphRun) => (result.status === "failed" ? result.failure : null);

test("only nodes that the outputs need run, each after its own inputs", async () => {
  const run = await runGraph(chain);
  assert.deepEqual(run.ran, ["1", "2", "3"]);
  assert.equal(run.result.status, "succeeded");
  assert.deepEqual(
    run.saved.map(({ name, nodeId, classType, reused }) => [name, nodeId, classType, reused]),
    [["a_00001_.png", "3", "SaveImage", false]],
  );
});

test("an unchanged graph does not run again, and reports its outputs again", async () => {
  const cache = new ResultCache(1e8);
  const first = await runGraph(chain, { cache });
  const second = await runGraph(chain, { cache, jobId: "other" });
  assert.deepEqual(second.ran, []);
  assert.deepEqual(
    second.saved.map(({ name, reused }) => [name, reused]),
    [["a_00001_.png", true]],
  );
  assert.deepEqual(second.saved[0]?.bytes, first.saved[0]?.bytes);
  assert.deepEqual(second.events[0], { kind: "started", nodesTotal: 3, cached: ["1", "2", "3"] });
  assert.ok(second.result.metrics?.nodesCached === 3);
});

test("a change runs only what depends on it; ids and titles do not count", async () => {
  const cache = new ResultCache(1e8);
  await runGraph(chain, { cache });
  assert.deepEqual((await runGraph({ ...chain, "3": save("2", "b") }, { cache })).ran, ["3"]);
  assert.deepEqual((await runGraph({ ...chain, "1": empty(1) }, { cache })).ran, ["1", "2", "3"]);
  const renamed: Graph = { a: { ...empty(), _meta: { title: "other" } }, b: invert("a"), c: save("b") };
  assert.deepEqual((await runGraph(renamed, { cache })).ran, []);
});

test("results are never shared across scopes, nor kept without one", async () => {
  const cache = new ResultCache(1e8);
  await runGraph(chain, { cache, scope: "one" });
  assert.equal((await runGraph(chain, { cache, scope: "two" })).ran.length, 3);
  const none = new ResultCache(1e8);
  await runGraph(chain, { cache: none, scope: null });
  assert.equal(none.bytes, 0);
});

test("two equal nodes in one graph are computed once", async () => {
  const run = await runGraph({ "1": empty(), "2": invert("1"), "3": invert("1"), "4": save("2"), "5": save("3") });
  assert.deepEqual(
    run.ran.filter((id) => id === "2" || id === "3"),
    ["2"],
  );
  assert.deepEqual(
    run.saved.map((file) => file.name),
    ["a_00001_.png", "a_00002_.png"],
  );
});

test("a file counts by its content: the same name with other bytes runs again", async () => {
  const png = (background: string) =>
    sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
  const graph: Graph = { "1": { class_type: "LoadImage", inputs: { image: "in.png" } }, "2": save("1") };
  const cache = new ResultCache(1e8);
  const red = await png("red");
  await runGraph(graph, { cache, files: { "in.png": red } });
  assert.deepEqual((await runGraph(graph, { cache, files: { "in.png": red } })).ran, []);
  assert.deepEqual((await runGraph(graph, { cache, files: { "in.png": await png("blue") } })).ran, ["1", "2"]);
  const gone = await runGraph(graph, { cache, files: {} });
  assert.deepEqual([failureOf(gone)?.code, failureOf(gone)?.nodeId], ["asset_unavailable", "1"]);
});

test("the cache is bounded: the least recently used entry goes, and simply runs again", async () => {
  const cache = new ResultCache(20_000);
  for (let color = 0; color < 50; color++) await runGraph({ "1": empty(color, 16), "2": save("1") }, { cache });
  assert.ok(cache.bytes <= 20_000);
  assert.equal((await runGraph({ "1": empty(0, 16), "2": save("1") }, { cache })).ran.length, 2);
});

test("progress never falls, is weighted, and ends at one", async () => {
  let milliseconds = 0;
  const graph: Graph = {
    "1": empty(),
    "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 2, sigma: 1 } },
    "3": save("2"),
  };
  const run = await runGraph(graph, { services: { now: () => (milliseconds += 60) } });
  const values = run.events.flatMap((event) => (event.kind === "progress" ? [event.progress] : []));
  assert.ok(values.length > 3);
  for (const [index, { value }] of values.entries()) assert.ok(value >= (values[index - 1]?.value ?? 0) && value <= 1);
  assert.deepEqual([values.at(-1)?.value, values.at(-1)?.nodesDone, values.at(-1)?.nodesTotal], [1, 3, 3]);
  const blur = values.find((progress) => progress.nodesDone === 1);
  // EmptyImage weighs 1, ImageBlur 3, SaveImage 4.
  assert.ok(blur && Math.abs(blur.value - 1 / 8) < 0.01, JSON.stringify(blur));
});

test("every node is named before it computes, and nothing is reported after the end", async () => {
  const reported: (string | null)[] = [];
  const named: boolean[] = [];
  const run = await runGraph(chain, {
    services: {
      now: () => 0,
      emit: (event) => {
        if (event.kind === "progress") reported.push(event.progress.currentNodeClass);
        if (event.kind === "node_started") named.push(reported.at(-1) === event.classType);
      },
      saveOutput: async () => {},
    },
  });
  assert.equal(run.result.status, "succeeded");
  assert.ok(named.length > 2 && named.every((isNamed) => isNamed), JSON.stringify(reported));
  const count = reported.length;
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(reported.length, count);
});

test("previews are small JPEG pictures, and not one per node", async () => {
  let milliseconds = 0;
  const chainOfTen = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at + 1}`, invert(`${at}`)]));
  const graph: Graph = { "0": empty(0xff0000, 1000), ...chainOfTen, save: save("10") };
  const run = await runGraph(graph, { services: { now: () => (milliseconds += 10) } });
  const previews = run.events.filter((event) => event.kind === "preview");
  assert.ok(previews.length > 0 && previews.length < 6, `${previews.length}`);
  const metadata = await sharp(previews[0]?.bytes).metadata();
  assert.deepEqual([metadata.format, metadata.width, metadata.height], ["jpeg", 512, 512]);
});

test("a canceled job stops before the next node", async () => {
  let isCanceled = false;
  const run = await runGraph(chain, {
    services: {
      isCanceled: () => isCanceled,
      saveOutput: async () => {},
      emit: (event) => {
        if (event.kind === "node_started" && event.nodeId === "2") isCanceled = true;
      },
    },
  });
  assert.equal(run.result.status, "canceled");
  assert.equal(run.saved.length, 0);
});

test("a canceled job stops inside a long node", async () => {
  const mask = { class_type: "SolidMask", inputs: { value: 1, width: 300, height: 300 } };
  const crop = {
    class_type: "MaskComposite",
    inputs: { destination: ["1", 0], source: ["2", 0], x: 1, y: 1, operation: "subtract" },
  };
  const grow = { class_type: "GrowMask", inputs: { mask: ["3", 0], expand: 16000, tapered_corners: true } };
  const graph: Graph = {
    "1": mask,
    "2": { class_type: "SolidMask", inputs: { value: 1, width: 299, height: 299 } },
    "3": crop,
    "4": grow,
    "5": { class_type: "MaskPreview", inputs: { mask: ["4", 0] } },
  };
  let breaths = 0;
  const run = await runGraph(graph, { services: { isCanceled: () => ++breaths > 20 } });
  assert.equal(run.result.status, "canceled");
  assert.ok(!run.ran.includes("4"));
});

test("a canvas beyond the budget is refused before anything is allocated", async () => {
  const before = process.memoryUsage().arrayBuffers;
  const graph: Graph = {
    "1": { class_type: "EmptyImage", inputs: { width: 16384, height: 16384, batch_size: 4096, color: 0 } },
    "2": save("1"),
  };
  const run = await runGraph(graph);
  assert.equal(failureOf(run)?.code, "out_of_memory");
  assert.match(failureOf(run)?.message ?? "", /would need \d+ MiB of memory, and 1024 MiB are allowed/);
  assert.ok(process.memoryUsage().arrayBuffers - before < 50 * 1024 ** 2);
});

test("values are released after their last use: a long chain needs two pictures, not all", async () => {
  const length = 40;
  const nodes = Object.fromEntries(Array.from({ length }, (_, at) => [`${at + 1}`, invert(`${at}`)]));
  const graph: Graph = { "0": empty(0, 512), ...nodes, save: save(`${length}`) };
  const picture = 512 * 512 * 3 * 4;
  const run = await runGraph(graph, { scope: null, limits: { memoryBytes: 3 * picture } });
  assert.equal(run.result.status, "succeeded");
  assert.equal(run.result.metrics?.memoryBytesPeak, 2 * picture);
});

test("the outputs are bounded in total", async () => {
  const run = await runGraph({ "1": empty(), "2": save("1"), "3": save("1", "b") }, { limits: { outputBytes: 300 } });
  assert.equal(failureOf(run)?.code, "out_of_memory");
});

test("a graph that cannot run is refused with its node", async () => {
  const run = await runGraph({ "1": empty(-1), "2": save("1") });
  assert.deepEqual(failureOf(run), {
    code: "invalid_workflow",
    message: "Value -1 smaller than min of 0: color",
    nodeId: "1",
    classType: "EmptyImage",
    isRetryable: false,
  });
});

test("a failing node is named, and earlier results are not lost", async () => {
  const graph: Graph = {
    "1": empty(),
    "2": save("1"),
    "3": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 1 } },
    "4": save("3"),
  };
  const run = await runGraph(graph);
  assert.deepEqual([failureOf(run)?.code, failureOf(run)?.nodeId], ["node_execution_error", "3"]);
  assert.equal(run.saved.length, 1);
});

test("an unexpected error is reported without its text", async () => {
  const run = await runGraph(chain, {
    services: { saveOutput: async () => Promise.reject(new Error("/secret/path")) },
  });
  assert.deepEqual(
    [failureOf(run)?.code, failureOf(run)?.message],
    ["node_execution_error", "The node failed unexpectedly."],
  );
});

test("a model is called under a key of job, node and input; equal input gives an equal key", async () => {
  const graph = (prompt: string): Graph => ({
    m: {
      class_type: "AtelierModelImage",
      inputs: { model: "sandbox/image-1", prompt, width: 64, height: 64, seed: 18446744073709551615n },
    },
    s: save("m"),
  });
  const [one, again, other] = [await runGraph(graph("x")), await runGraph(graph("x")), await runGraph(graph("y"))];
  assert.match(one.calls[0]?.callKey ?? "", /^job:job:m:[0-9a-f]{64}$/);
  assert.equal(one.calls[0]?.callKey, again.calls[0]?.callKey);
  assert.notEqual(one.calls[0]?.callKey, other.calls[0]?.callKey);
  assert.equal(
    Buffer.from(one.calls[0]?.input ?? []).toString(),
    '{"prompt": "x", "width": 64, "height": 64, "seed": 18446744073709551615, "response_format": "b64_json"}',
  );
  assert.equal(failureOf(one)?.code, "model_call_failed");
});

test("a picture is found in a model's answer, as bytes, base64 or data URL", async () => {
  const png = await sharp({ create: { width: 8, height: 4, channels: 3, background: "#102030" } })
    .png()
    .toBuffer();
  const base64 = png.toString("base64");
  const graph: Graph = {
    m: { class_type: "AtelierModelImage", inputs: { model: "a/b", prompt: "x", width: 64, height: 64, seed: 1 } },
    s: save("m"),
  };
  const answers: readonly (readonly [string, Uint8Array])[] = [
    ["image/png", png],
    ["application/json", Buffer.from(JSON.stringify({ images: [{ url: "https://x/y.png", b64_json: base64 }] }))],
    ["application/json", Buffer.from(JSON.stringify({ output: [`data:image/png;base64,${base64}`] }))],
  ];
  for (const [contentType, bytes] of answers) {
    const run = await runGraph(graph, { services: { callModel: async () => ({ contentType, bytes }) } });
    const { data, info } = await sharp(run.saved[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, data[0], data[1], data[2]], [8, 4, 0x10, 0x20, 0x30]);
  }
  const empty = await runGraph(graph, {
    services: { callModel: async () => ({ contentType: "application/json", bytes: Buffer.from("{}") }) },
  });
  assert.equal(failureOf(empty)?.code, "model_call_failed");
});

test("any graph of cheap nodes ends, with every output saved once", async () => {
  const graphs = fc.array(fc.record({ kind: fc.constantFrom("invert", "blend", "save"), a: fc.nat(), b: fc.nat() }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(graphs, async (nodes) => {
      const graph: Record<string, Graph[string]> = { "0": empty(0x808080, 4), last: save("0") };
      const sources = ["0"];
      for (const [at, { kind, a, b }] of nodes.entries()) {
        const [one, two] = [sources[a % sources.length] ?? "0", sources[b % sources.length] ?? "0"];
        const id = `n${at}`;
        if (kind === "save") graph[id] = save(one);
        else {
          const blend = {
            class_type: "ImageBlend",
            inputs: { image1: [one, 0], image2: [two, 0], blend_factor: 0.5, blend_mode: "screen" },
          };
          graph[id] = kind === "invert" ? invert(one) : blend;
          sources.push(id);
        }
      }
      const run = await runGraph(graph);
      assert.equal(run.result.status, "succeeded");
      assert.equal(run.saved.length, Object.values(graph).filter((node) => node.class_type === "SaveImage").length);
    }),
    { numRuns: 30 },
  );
});

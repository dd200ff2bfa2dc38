// What a graph costs before it runs. For random graphs, with values in place, through nodes that only hold a value, and
// from nodes that compute them, the estimate of every node and of their sum contains what any run could be charged.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Graph, validateGraph } from "@atelier/engine";
import fc from "fast-check";
import type { PricePart } from "../src/capabilities/graphs/index.ts";
import { type GraphModels, priceGraph } from "../src/capabilities/graphs/index.ts";
import { charge, holdBound, priceOf } from "../src/capabilities/prices/index.ts";
import { newId } from "../src/foundation/ids.ts";
import { Draw, drawInput, drawReport } from "./support/model-inputs.ts";
import { type PricedModel, pricedModels } from "./support/priced-models.ts";

const models = await pricedModels();
const byId = new Map(models.map((model) => [model.id, model]));
const served: GraphModels = {
  priceOf: (id) => byId.get(id)?.price ?? null,
  priceFor: (id) => byId.get(id)?.price ?? null,
  served: () => models,
};
const workspaceId = newId<"workspace">();

async function priced(graph: Graph, on: Partial<GraphModels> = {}, run = 0n, isPaidByKey = false) {
  const verdict = validateGraph(graph, { fileExists: () => false });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  const price = priceGraph({ ...served, ...on }, run);
  return price(graph, { workspaceId, nodes: verdict.nodes, isPaidByKey });
}

type Node = Graph[string];
const node = (class_type: string, inputs: Record<string, unknown>): Node => ({ class_type, inputs });
const asking = (inputs: Record<string, unknown>): Node =>
  node("AtelierModelImage", {
    model: "sandbox/image-1-queued",
    prompt: "x",
    width: 512,
    height: 512,
    seed: 1,
    ...inputs,
  });
const saving = (...sources: string[]): Record<string, Node> =>
  Object.fromEntries(
    sources.map((source) => [`save ${source}`, node("SaveImage", { images: [source, 0], filename_prefix: "x" })]),
  );
// 64 × 32 pictures, five of them, one by one.
const pictures = {
  blank: node("EmptyImage", { width: 64, height: 64, batch_size: 5, color: 0 }),
  size: node("GetImageSize", { image: ["blank", 0] }),
  list: node("RebatchImages", { images: ["blank", 0], batch_size: 1 }),
  sizes: node("GetImageSize", { image: ["list", 0] }),
};

// What a run does with a node that calls a model: the model and the input of every call.
interface Foreseen {
  readonly nodeId: string;
  readonly calls: readonly { readonly model: PricedModel; readonly input: Readonly<Record<string, unknown>> }[];
}

interface Drawn {
  readonly graph: Record<string, Node>;
  readonly runs: readonly Foreseen[];
}

type Way = "plain" | "wrapped" | "value" | "computed";

// One node with everything it needs, and what some run of it would send.
function drawNode(draw: Draw, nodeId: string, into: Record<string, Node>): Foreseen {
  const model = draw.one(models);
  const parameters = draw.often(0.7) ? drawInput(model.definition, draw) : { response_format: "b64_json" };
  const own = { prompt: "x", width: draw.whole(64, 4096), height: draw.whole(64, 4096), seed: draw.whole(0, 2 ** 31) };
  const ways = new Map<string, Way>();
  const give = (name: string, value: string | number, textClass: string): unknown => {
    const way = draw.one<Way>(["plain", "plain", "plain", "wrapped", "value", "computed"]);
    ways.set(name, way);
    if (way === "plain") return value;
    if (way === "wrapped") return { __value__: value };
    const source = `${nodeId} ${name}`;
    const isText = typeof value === "string";
    if (way === "value") {
      into[source] = node(isText ? textClass : "PrimitiveInt", { value });
      return [source, 0];
    }
    if (!isText) return [draw.often(0.5) ? "size" : "sizes", 0];
    into[source] = node("StringConcatenate", { string_a: value, string_b: "", delimiter: "" });
    return [source, 0];
  };
  const text = JSON.stringify(parameters);
  into[nodeId] = asking({
    model: give("model", model.id, "PrimitiveString"),
    prompt: give("prompt", own.prompt, "PrimitiveStringMultiline"),
    width: give("width", own.width, ""),
    height: give("height", own.height, ""),
    seed: give("seed", own.seed, ""),
    parameters: give("parameters", text, "PrimitiveStringMultiline"),
    // Not an input of the class, so the node does not send it.
    duration: draw.whole(0, 100),
  });
  const isListed = Object.values(into[nodeId].inputs).some((value) => Array.isArray(value) && value[0] === "sizes");
  const calls = Array.from({ length: isListed ? draw.whole(1, 5) : 1 }, () => {
    const chosen = ways.get("model") === "computed" ? draw.one(models) : model;
    const computed = { width: draw.whole(64, 4096), height: draw.whole(64, 4096), seed: 7, prompt: "y" };
    const values = Object.fromEntries(
      Object.entries({ ...own }).map(([name, value]) => [
        name,
        ways.get(name) === "computed" ? Reflect.get(computed, name) : value,
      ]),
    );
    const members = ways.get("parameters") === "computed" ? drawInput(chosen.definition, draw) : parameters;
    return { model: chosen, input: { ...values, ...members } };
  });
  return { nodeId, calls };
}

function drawGraph(draw: Draw): Drawn {
  const graph: Record<string, Node> = { ...pictures };
  const runs = Array.from({ length: draw.whole(0, 6) }, (_, at) => drawNode(draw, `m${at}`, graph));
  Object.assign(graph, saving(...runs.map(({ nodeId }) => nodeId)), saving("blank"));
  return { graph, runs };
}

const sumOf = (parts: readonly PricePart[], of: "lowest" | "highest" | "amount") =>
  parts.reduce((sum, part) => sum + part[of], 0n);

test("for 1,000 random graphs, the charge of a run lies within the estimate, node by node and in sum", async () => {
  let [nodes, exact] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const draw = new Draw(seed);
      const { graph, runs } = drawGraph(draw);
      const runMost = draw.often(0.5) ? 1_000n : 0n;
      const parts = await priced(graph, {}, runMost);
      assert.equal(parts.length, runs.length + (runMost > 0n ? 1 : 0));
      let whole = runMost > 0n ? BigInt(draw.whole(0, 1_000)) : 0n;
      for (const { nodeId, calls } of runs) {
        const part = parts.find((one) => one.part === nodeId) ?? assert.fail(nodeId);
        const charged = calls.reduce(
          (sum, { model, input }) => sum + charge(model.price, input, drawReport(model.definition.price, draw)),
          0n,
        );
        const words = `${nodeId}: ${part.lowest} ≤ ${charged} ≤ ${part.highest}`;
        assert.ok(part.lowest <= charged && charged <= part.highest, words);
        assert.ok(part.amount <= part.highest, words);
        whole += charged;
        nodes += 1;
        if (part.lowest === part.highest) exact += 1;
      }
      assert.ok(sumOf(parts, "lowest") <= whole && whole <= sumOf(parts, "highest"));
    }),
    { numRuns: 1_000 },
  );
  assert.ok(nodes > 1_000 && exact > nodes / 10, `${exact} of ${nodes} nodes had an exact price`);
});

const queued = byId.get("sandbox/image-1-queued")?.price ?? assert.fail();
const bound = (width: number, height: number) => holdBound(queued, { width, height });

describe("a node's call", () => {
  const only = async (
    inputs: Record<string, unknown>,
    more: Record<string, Node> = {},
    on: Partial<GraphModels> = {},
  ) => {
    const [part, ...others] = await priced({ ...pictures, ...more, ask: asking(inputs), ...saving("ask") }, on);
    assert.deepEqual(others, []);
    return part ?? assert.fail();
  };

  test("is priced by its own inputs as it reads them: cut off, wrapped, as text, or through nodes that are a value", async () => {
    const chain = {
      first: node("PrimitiveInt", { value: 256 }),
      second: node("PrimitiveInt", { value: ["first", 0] }),
    };
    for (const width of [256, 256.9, "256", { __value__: 256 }, ["second", 0]]) {
      const { amount, lowest, highest, node: of } = await only({ width }, chain);
      assert.deepEqual([amount, highest, lowest < highest], [bound(256, 512), bound(256, 512), true], String(width));
      assert.deepEqual(of, { classType: "AtelierModelImage", title: null, model: "sandbox/image-1-queued" });
    }
  });

  test("is priced by its parameters, and not by inputs beside them", async () => {
    assert.equal((await only({ parameters: '{"width": 128}' })).highest, bound(128, 512));
    assert.equal((await only({ parameters: "", seconds: 100 })).highest, bound(512, 512));
    const film = { model: "sandbox/video-1", parameters: undefined };
    // Without parameters, the class's own default and the model's own length count.
    assert.equal(
      (await only({ ...film, seconds: 10 })).highest,
      holdBound(byId.get("sandbox/video-1")?.price ?? queued, {}),
    );
  });

  test("may use anything that a link gives: the bounds of the input, or the highest price there is", async () => {
    const wide = await only({ width: ["size", 0] });
    assert.deepEqual(
      [wide.amount, wide.highest],
      [bound(2048, 512), bound(2048, 512)],
      "the price's own most is below",
    );
    const computed = { text: node("StringConcatenate", { string_a: "{}", string_b: "", delimiter: "" }) };
    assert.equal((await only({ parameters: ["text", 0] }, computed)).highest, bound(2048, 2048));
  });

  test("of a model that only the run knows costs the highest price of all, and is not held", async () => {
    const computed = { text: node("StringConcatenate", { string_a: "sandbox/", string_b: "video-1", delimiter: "" }) };
    const part = await only({ model: ["text", 0] }, computed);
    const dearest = models.reduce((most, { price }) => {
      const one = holdBound(price, { prompt: "x", width: 512, height: 512, seed: 1, response_format: "b64_json" });
      return one > most ? one : most;
    }, 0n);
    assert.deepEqual([part.amount, part.lowest, part.highest, part.node?.model], [0n, 0n, dearest, null]);
  });

  test("may happen for every value of a list, at least once; one call is held", async () => {
    const part = await only({ seed: ["sizes", 0] });
    assert.deepEqual([part.amount, part.highest], [bound(512, 512), bound(512, 512) * 10_000n]);
    assert.equal((await only({ seed: ["size", 0] })).highest, bound(512, 512));
  });

  test("is free under the workspace's own credential, and costs the catalog's price under a key sent along", async () => {
    const free = priceOf({ usd: "0" }, 1);
    const own = { priceFor: () => free };
    assert.deepEqual((await only({}, {}, own)).highest, 0n);
    const graph = { ...pictures, ask: asking({}), ...saving("ask") };
    const [part] = await priced(graph, own, 0n, true);
    assert.deepEqual([part?.amount, part?.lowest, part?.highest], [0n, 0n, bound(512, 512)]);
  });
});

test("nodes that will not run cost nothing, and the run is the last part", async () => {
  const graph = {
    ...pictures,
    left: asking({}),
    ask: { ...asking({}), _meta: { title: "The sea" } },
    ...saving("ask"),
  };
  const parts = await priced(graph, {}, 50n);
  assert.deepEqual(
    parts.map(({ part, lowest, highest, node: of }) => [part, lowest > 0n, highest, of?.title]),
    [
      ["ask", false, bound(512, 512), "The sea"],
      ["run", false, 50n, undefined],
    ],
  );
});

test("a chain of ten thousand values is followed, for as many readers, in negligible time", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 4_900 }, (_, at) => [
      `v${at}`,
      node("PrimitiveInt", { value: at === 0 ? 128 : [`v${at - 1}`, 0] }),
    ]),
  );
  const readers = Object.fromEntries(
    Array.from({ length: 2_500 }, (_, at) => [`m${at}`, asking({ width: [`v${4_899 - at}`, 0] })]),
  );
  const parts = await priced({ ...chain, ...readers, ...saving(...Object.keys(readers)) });
  assert.equal(parts.length, 2_500);
  for (const { highest } of parts) assert.equal(highest, bound(128, 512));
});

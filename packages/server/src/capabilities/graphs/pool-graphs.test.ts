// Which graphs a pool accepts, depending on what each of its workers has: a graph runs entirely on one of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../foundation/ids.ts";
import { mergeDescriptions, type NodeClassDescriptions, type PoolClasses } from "../pools/index.ts";
import { engineGraphs } from "./engine-graphs.ts";
import { graphsBeside, poolGraphs } from "./pool-graphs.ts";

const poolId = newId<"pool">();
const entry = (required: object, output: string[], more: object = {}) => ({
  input: { required },
  output,
  output_node: output.length === 0,
  python_module: "nodes",
  ...more,
});
const loader = (...files: string[]) => entry({ name: [files, {}] }, ["MODEL"]);
// The way newer classes list their choices.
const patcher = (...files: string[]) => entry({ model: ["MODEL"], lora: ["COMBO", { options: files }] }, ["MODEL"]);
const save = entry({ model: ["MODEL"] }, []);

function pool(...environments: NodeClassDescriptions[]): PoolClasses {
  const filesOf = (descriptions: NodeClassDescriptions) =>
    new Set(JSON.stringify(descriptions).match(/[\w.-]+\.safetensors/g) ?? []);
  const all = new Set(environments.flatMap((each) => [...filesOf(each)]));
  return {
    descriptions: mergeDescriptions(environments),
    environments: environments.map((descriptions, at) => ({ id: String(at), descriptions })),
    modelsLacking: new Map(
      environments.map((each, at) => [String(at), new Set([...all].filter((name) => !filesOf(each).has(name)))]),
    ),
  };
}

const graph = (base: string, lora: string | null, last = "Save") => ({
  1: { class_type: "Loader", inputs: { name: base } },
  ...(lora === null ? {} : { 2: { class_type: "Patch", inputs: { model: ["1", 0], lora } } }),
  3: { class_type: last, inputs: { model: [lora === null ? "1" : "2", 0] } },
});

const graphsOf = (classes: PoolClasses) => {
  const pools = { classesNow: () => classes, classesOf: async () => classes };
  return {
    alone: poolGraphs(pools, poolId),
    beside: graphsBeside(engineGraphs({ priceOf: () => null, served: () => [] }, "0.7"), pools, poolId, "0.7"),
  };
};

const two = pool(
  { Loader: loader("a.safetensors"), Patch: patcher("x.safetensors"), Save: save },
  { Loader: loader("b.safetensors"), Patch: patcher("y.safetensors"), Save: save, Extra: save },
);

test("a choice counts when a worker that can run the whole graph has it", () => {
  for (const graphs of Object.values(graphsOf(two))) {
    for (const [base, lora] of [
      ["a.safetensors", "x.safetensors"],
      ["b.safetensors", "y.safetensors"],
      ["a.safetensors", null],
    ] as const)
      assert.equal(graphs.check(graph(base, lora)).ok, true, `${base} ${lora}`);
    const apart = graphs.check(graph("a.safetensors", "y.safetensors"));
    assert.equal(apart.ok, false, "one has the model, the other the patch");
    assert.equal(Object.values(apart.nodeErrors)[0]?.errors[0]?.type, "value_not_in_list");
    const nowhere = graphs.check(graph("c.safetensors", null));
    assert.deepEqual(nowhere.nodeErrors["1"]?.errors[0]?.extra_info["did_you_mean"], "a.safetensors");
    const otherMachine = graphs.check(graph("a.safetensors", null, "Extra"));
    assert.equal(otherMachine.nodeErrors["1"]?.errors[0]?.type, "value_not_in_list", "Extra is not where a is");
    assert.equal(graphs.check(graph("b.safetensors", null, "Extra")).ok, true);
  }
});

test("classes that no worker has together are refused, with the nodes that are in the way", () => {
  const { beside } = graphsOf(two);
  const mixed = beside.check({
    ...graph("a.safetensors", null),
    7: { class_type: "AtelierModelImage", inputs: {} },
    8: { class_type: "SaveImage", inputs: { images: ["7", 0], filename_prefix: "x" } },
  });
  assert.equal(mixed.problem?.message, "No worker has all node classes of this graph together");
  assert.equal(mixed.ok, false);
});

test("a class that neither the engine nor a worker has is named with the nearest of both", () => {
  const { beside } = graphsOf(two);
  const meant = (name: string) => {
    const verdict = beside.check({ ...graph("a.safetensors", null), 9: { class_type: name, inputs: {} } });
    assert.deepEqual(Object.keys(verdict.nodeErrors), ["9"], "what workers have is not told as unknown");
    return verdict.nodeErrors["9"]?.errors[0]?.extra_info["did_you_mean"];
  };
  assert.deepEqual([meant("Loadr"), meant("ImageScael"), meant("Zzzzzz")], ["Loader", "ImageScale", undefined]);
});

test("a file of weights is looked for in lists that are empty or of classes installed on top, too", () => {
  const foreign = { python_module: "custom_nodes.pack" };
  const { alone } = graphsOf(
    pool({
      Empty: entry({ name: [[], {}], model: ["MODEL"] }, []),
      Loader: loader("a.safetensors"),
      Foreign: entry({ name: [["f.safetensors"], {}], kind: [["x"], {}] }, [], foreign),
      Remote: entry({ name: [[], { remote: { route: "/x" } }] }, []),
    }),
  );
  const verdictOf = (class_type: string, inputs: object) =>
    alone.check({
      1: { class_type: "Loader", inputs: { name: "a.safetensors" } },
      2: { class_type, inputs: { model: ["1", 0], ...inputs } },
    });
  const problemOf = (...asked: Parameters<typeof verdictOf>) => verdictOf(...asked).nodeErrors["2"]?.errors[0]?.type;
  assert.equal(problemOf("Empty", { name: "a.safetensors" }), "value_not_in_list");
  assert.equal(problemOf("Empty", { name: "what an editor filled in" }), undefined);
  assert.equal(problemOf("Foreign", { name: "g.safetensors", kind: "anything" }), "value_not_in_list");
  assert.equal(problemOf("Foreign", { name: "f.safetensors", kind: "anything" }), undefined);
  assert.equal(problemOf("Remote", { name: "g.safetensors" }), undefined);
});

test("classes of both are listed with where they run; the engine's description wins where both have one", () => {
  const { alone, beside } = graphsOf(pool({ Loader: loader("a.safetensors"), ImageScale: { input: {}, mine: true } }));
  const both = beside.classes();
  assert.equal(beside.classes(), both, "the same while nothing changes");
  assert.deepEqual(both.locationOf("Loader"), { engine: false, pools: [poolId], application: false });
  assert.deepEqual(both.locationOf("ImageScale"), { engine: true, pools: [poolId], application: false });
  assert.equal(JSON.stringify(both.descriptions.get("ImageScale")).includes("mine"), false);
  assert.deepEqual([...alone.classes().descriptions.keys()], ["Loader", "ImageScale"]);
});

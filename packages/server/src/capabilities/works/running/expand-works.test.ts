import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { trustedId } from "../../../foundation/ids.ts";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { graphText } from "../../graphs/index.ts";
import { formSchema } from "../form/form-schema.ts";
import { readFormText } from "../form/read-form.ts";
import { containsWorks, expandForm, expandWorks } from "./expand-works.ts";
import type { PreparedWork } from "./prepared-work.ts";

const document = (value: object | string) =>
  parseJson(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));

function prepared(id: string, graph: object | string, form: object, works: readonly string[] = []): PreparedWork {
  const read = readFormText(JSON.stringify(form));
  const [modelId = ""] = id.split(".v");
  return {
    id,
    graph: document(graph),
    form: read,
    inputSchema: formSchema(read),
    work: {
      workId: trustedId<"work">("0"),
      ownerId: trustedId<"workspace">("0"),
      modelId,
      version: 1,
      graph: Buffer.from(""),
      form: "",
      needs: { node_classes: [], models: [], files: [], works: [...works] },
      title: null,
      description: null,
      deprecatedAt: null,
      sunsetAt: null,
    },
  };
}

const poster = prepared(
  "w.a/poster.v1",
  '{"1":{"class_type":"Paint","inputs":{"prompt":"sea","seed":18446744073709551615}},"2":{"class_type":"Save","inputs":{"images":["1",0]}}}',
  {
    inputs: [
      { name: "prompt", node: "1", input: "prompt", kind: "text", required: true },
      { name: "seed", node: "1", input: "seed", kind: "integer", minimum: 0 },
    ],
    outputs: [{ name: "picture", node: "2" }],
  },
);
const frame = prepared(
  "w.a/frame.v2",
  {
    "1": { class_type: "LoadImage", inputs: { image: "x.png" } },
    "2": { class_type: "Invert", inputs: { image: ["1", 0] } },
    "3": { class_type: "Save", inputs: { images: ["2", 0] } },
  },
  {
    inputs: [{ name: "picture", node: "1", input: "image", kind: "picture", required: true }],
    outputs: [{ name: "result", node: "3" }],
  },
);
const shelf = new Map([
  ["w.a/poster", poster],
  ["w.a/frame", frame],
]);
const expand = (graph: object | string) => expandWorks(document(graph), async (id) => shelf.get(id) ?? null);

test("a work as a node becomes its nodes, and links lead to what its output shows", async () => {
  const { value, works, depth } = await expand({
    a: { class_type: "w.a/poster", inputs: { prompt: "dusk", seed: 3 } },
    b: { class_type: "w.a/frame", inputs: { picture: ["a", 0] } },
    c: { class_type: "Save", inputs: { images: ["b", 0] } },
  });
  assert.deepEqual(Object.keys(value).sort(), ["a:1", "b:2", "c"]);
  assert.deepEqual(Reflect.get(value["a:1"] ?? {}, "inputs"), { prompt: "dusk", seed: 3 });
  assert.deepEqual(Reflect.get(value["b:2"] ?? {}, "inputs"), { image: ["a:1", 0] });
  assert.deepEqual(Reflect.get(value["c"] ?? {}, "inputs"), { images: ["b:2", 0] });
  assert.deepEqual(works, ["w.a/poster.v1", "w.a/frame.v2"]);
  assert.equal(depth, 1);
});

test("a work that nothing links to keeps its output nodes", async () => {
  const { value } = await expand({ a: { class_type: "w.a/poster", inputs: { prompt: "dusk" } } });
  assert.deepEqual(Object.keys(value).sort(), ["a:1", "a:2"]);
  assert.deepEqual(Reflect.get(value["a:2"] ?? {}, "inputs"), { images: ["a:1", 0] });
});

test("integers beyond 2^53 keep their digits, given and inside the work", async () => {
  const inside = await expand({ a: { class_type: "w.a/poster", inputs: { prompt: "x" } } });
  assert.match(graphText(inside.value, inside.exactIntegers).toString(), /"seed":18446744073709551615/);
  const given = await expand('{"a":{"class_type":"w.a/poster","inputs":{"prompt":"x","seed":9007199254740993}}}');
  const text = graphText(given.value, given.exactIntegers).toString();
  assert.match(text, /"seed":9007199254740993/);
  assert.doesNotMatch(text, /18446744073709551615/);
});

test("an input that sets several nodes sets all of them: by value, by a link, and from the form around it", async () => {
  const twins = prepared(
    "w.a/twins.v1",
    {
      "1": { class_type: "Paint", inputs: { prompt: "sea" } },
      "2": { class_type: "Paint", inputs: { prompt: "sea" } },
      "3": { class_type: "Save", inputs: { images: ["1", 0] } },
      "4": { class_type: "LoadImage", inputs: { image: "x.png" } },
      "5": { class_type: "LoadImage", inputs: { image: "x.png" } },
      "6": { class_type: "Blend", inputs: { one: ["4", 0], two: ["5", 0] } },
    },
    {
      inputs: [
        { name: "prompt", node: "1", input: "prompt", kind: "text", also: [{ node: "2", input: "prompt" }] },
        { name: "picture", node: "4", input: "image", kind: "picture", also: [{ node: "5", input: "image" }] },
      ],
      outputs: [{ name: "picture", node: "3" }],
    },
  );
  const of = async (inputs: object) => {
    const made = await expandWorks(document({ a: { class_type: "w.a/twins", inputs } }), async () => twins);
    const shown = Object.entries(made.value).map(([id, node]) => [id, isRecord(node) ? node["inputs"] : null]);
    return { made, inputs: Object.fromEntries(shown) };
  };
  const given = await of({ prompt: "dusk" });
  assert.deepEqual([given.inputs["a:1"], given.inputs["a:2"]], [{ prompt: "dusk" }, { prompt: "dusk" }]);
  const linked = await of({ prompt: ["t", 0], picture: ["p", 1] });
  assert.deepEqual([linked.inputs["a:1"], linked.inputs["a:2"]], [{ prompt: ["t", 0] }, { prompt: ["t", 0] }]);
  assert.deepEqual(linked.inputs["a:6"], { one: ["p", 1], two: ["p", 1] });
  assert.deepEqual(Object.keys(linked.inputs).sort(), ["a:1", "a:2", "a:3", "a:6"]);

  const around = { name: "words", kind: "text" as const };
  const also = [{ node: "a", input: "prompt" }];
  const { inputs } = expandForm(
    { inputs: [{ ...around, node: "t", input: "text", also }], outputs: [] },
    given.made.replaced,
  );
  assert.deepEqual(inputs, [
    {
      ...around,
      node: "t",
      input: "text",
      also: [
        { node: "a:1", input: "prompt" },
        { node: "a:2", input: "prompt" },
      ],
    },
  ]);
  const [alone] = expandForm(
    { inputs: [{ ...around, node: "a", input: "prompt" }], outputs: [] },
    given.made.replaced,
  ).inputs;
  assert.deepEqual([alone?.node, alone?.also], ["a:1", [{ node: "a:2", input: "prompt" }]]);
});

test("a published graph remembers how deep works are nested in it", async () => {
  const once = await expand({
    a: { class_type: "w.a/poster", inputs: { prompt: "x" } },
    s: { class_type: "Save", inputs: { images: ["a", 0] } },
  });
  const outer = prepared(
    "w.a/outer.v1",
    once.value,
    { inputs: [], outputs: [{ name: "picture", node: "s" }] },
    once.works,
  );
  const twice = await expandWorks(
    document({ o: { class_type: "w.a/outer", inputs: {} }, t: { class_type: "Save", inputs: { images: ["o", 0] } } }),
    async () => outer,
  );
  assert.equal(twice.depth, 2);
  assert.deepEqual(twice.works, ["w.a/outer.v1", "w.a/poster.v1"]);
  assert.deepEqual(Object.keys(twice.value).sort(), ["o:a:1", "t"]);
});

test("an unknown work, an unknown or missing input and a wrong value are refused by node", async () => {
  for (const [inputs, classType, words] of [
    [{}, "w.a/nothing", /no such work/],
    [{}, "w.a/poster", /prompt is required/],
    [{ prompt: 1 }, "w.a/poster", /prompt/],
    [{ prompt: "x", other: 1 }, "w.a/poster", /no input other/],
    [{ prompt: "x", other: ["b", 0] }, "w.a/poster", /no input other/],
    [{ prompt: "x", seed: -1 }, "w.a/poster", /seed/],
  ] as const) {
    await assert.rejects(expand({ a: { class_type: classType, inputs } }), (thrown) => {
      assert.ok(thrown instanceof Fault && thrown.code === "validation_failed");
      assert.match(thrown.message, words);
      assert.match(JSON.stringify(thrown.details), /"node_errors":\{"a"/);
      return true;
    });
  }
});

test("a graph without works is left alone", async () => {
  const graph = { "1": { class_type: "Save", inputs: { images: ["2", 0] } } };
  assert.equal(containsWorks(graph), false);
  assert.deepEqual((await expand(graph)).value, graph);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { convert, graphOf, line, port, save, slot } from "./editor-classes.fixture.ts";

// A subgraph whose first input leads to a text inside.
const writer = {
  id: "writer",
  inputs: [port("words", "STRING", 1)],
  outputs: [port("TEXT", "TEXT", 2)],
  nodes: [{ id: 3, type: "Text", inputs: [slot("text", "STRING", 1)], widgets_values: ["inside"] }],
  links: [line(1, -10, 3), line(2, 3, -20)],
};
const instance = (id: number, rest: object = {}) => ({ id, type: "writer", ...rest });

test("several instances of a subgraph unfold, each with its own values, and inner nodes are named by their path", () => {
  const graph = graphOf({
    nodes: [instance(10), instance(11, { widgets_values: ["outside"] }), save(1, 20), save(2, 21)],
    links: [
      [20, 10, 0, 1, 0, "TEXT"],
      [21, 11, 0, 2, 0, "TEXT"],
    ],
    subgraphs: [writer],
  });
  assert.deepEqual(graph, {
    1: { value: ["10:3", 0] },
    2: { value: ["11:3", 0] },
    "10:3": { text: "inside" },
    "11:3": { text: "outside" },
  });
});

test("a link into an instance goes to the nodes inside, through any number of subgraphs", () => {
  const outer = {
    id: "outer",
    inputs: [port("words", "STRING", 1)],
    outputs: [port("TEXT", "TEXT", 2)],
    nodes: [{ id: 5, type: "writer", inputs: [slot("words", "STRING", 1)] }],
    links: [line(1, -10, 5), line(2, 5, -20)],
  };
  const of = (inputs: object[], widgets_values: unknown[] = []) =>
    graphOf({
      nodes: [
        { id: 10, type: "outer", inputs, widgets_values },
        { id: 4, type: "Text", widgets_values: ["far"] },
        save(1, 20),
      ],
      links: [
        [20, 10, 0, 1, 0, "TEXT"],
        [21, 4, 0, 10, 0, "TEXT"],
      ],
      subgraphs: [outer, writer],
    });
  assert.deepEqual(of([slot("words", "STRING", 21)], ["covered"])["10:5:3"], { text: ["4", 0] });
  assert.deepEqual(of([])["10:5:3"], { text: "inside" });
  assert.deepEqual(of([], ["of the outermost"])["10:5:3"], { text: "of the outermost" });
  assert.deepEqual(of([])["1"], { value: ["10:5:3", 0] });
});

test("widgets that older files expose on an instance by name get the instance's values", () => {
  const noise = {
    id: "noise",
    inputs: [port("strength", "FLOAT", 1)],
    outputs: [port("NOISE", "NOISE", 2)],
    nodes: [
      {
        id: 3,
        type: "Noise",
        inputs: [slot("noise_seed", "INT"), slot("strength", "FLOAT", 1)],
        widgets_values: [7, "fixed", 0.25],
      },
    ],
    links: [line(1, -10, 3, 0, 1), line(2, 3, -20)],
  };
  const of = (proxyWidgets: unknown, widgets_values: unknown[]) =>
    graphOf({ nodes: [{ id: 10, type: "noise", properties: { proxyWidgets }, widgets_values }], subgraphs: [noise] });
  const shown = [
    ["3", "noise_seed"],
    ["3", "control_after_generate"],
    ["-1", "strength"],
    ["3", "$$picture"],
  ];
  assert.deepEqual(of(shown, [99, "fixed", 0.75]), { "10:3": { noise_seed: 99, strength: 0.75 } });
  // A value that is not given stays as it is inside.
  assert.deepEqual(of(shown, [null, null, null]), { "10:3": { noise_seed: 7, strength: 0.25 } });
  assert.deepEqual(of(shown, []), { "10:3": { noise_seed: 7, strength: 0.25 } });
  assert.deepEqual(of(JSON.stringify([["3", "8: 3: noise_seed"]]), [98]), { "10:3": { noise_seed: 98, strength: 98 } });
  assert.deepEqual(of([["3", "nothing"], ["4", "noise_seed"], 7, ["3"]], ["x"]), {
    "10:3": { noise_seed: 7, strength: "x" },
  });
});

test("a widget of a nested subgraph is exposed through both", () => {
  const outer = {
    id: "outer",
    nodes: [{ id: 5, type: "writer", properties: { proxyWidgets: [["3", "text"]] }, widgets_values: ["middle"] }],
  };
  const plain = {
    ...writer,
    inputs: [],
    nodes: [{ id: 3, type: "Text", widgets_values: ["inside"] }],
    links: [line(2, 3, -20)],
  };
  const of = (proxyWidgets: unknown[], widgets_values: unknown[]) =>
    graphOf({
      nodes: [{ id: 10, type: "outer", properties: { proxyWidgets }, widgets_values }],
      subgraphs: [outer, plain],
    });
  assert.deepEqual(of([], []), { "10:5:3": { text: "middle" } });
  assert.deepEqual(of([["5", "text"]], ["top"]), { "10:5:3": { text: "top" } });
  assert.deepEqual(of([["5", "3: text"]], ["top"]), { "10:5:3": { text: "top" } });
  assert.deepEqual(of([["5", "text"]], [null]), { "10:5:3": { text: "middle" } });
});

test("an exposed primitive node inside a subgraph passes on the instance's value", () => {
  const inner = {
    id: "inner",
    nodes: [
      { id: 4, type: "PrimitiveNode", outputs: [{ links: [1] }], widgets_values: ["own", "fixed"] },
      { id: 3, type: "Text", inputs: [slot("text", "STRING", 1)], widgets_values: ["stale"] },
    ],
    links: [line(1, 4, 3)],
  };
  const of = (widgets_values: unknown[]) =>
    graphOf({
      nodes: [{ id: 10, type: "inner", properties: { proxyWidgets: [["4", "value"]] }, widgets_values }],
      subgraphs: [inner],
    });
  assert.deepEqual([of([]), of(["told"])], [{ "10:3": { text: "own" } }, { "10:3": { text: "told" } }]);
});

test("ids used both in the graph and in a subgraph are made unique, as the editor does", () => {
  const graph = graphOf({
    nodes: [{ id: 3, type: "writer", properties: { proxyWidgets: [["3", "text"]] }, widgets_values: ["x"] }],
    subgraphs: [writer],
    last_node_id: 40,
  });
  assert.deepEqual(graph, { "3:41": { text: "x" } });
});

test("a bypassed instance passes its input on, a muted one removes everything that needs it", () => {
  const nodes = (mode: number) => [
    { ...instance(10, { mode, inputs: [slot("words", "STRING", 21)], outputs: [{ type: "STRING" }] }) },
    { id: 4, type: "Text", widgets_values: ["far"] },
    { id: 6, type: "Join", inputs: [slot("one", "TEXT", 22), slot("two", "TEXT", 20)] },
    { id: 7, type: "Join", inputs: [slot("one", "TEXT", 20)] },
    save(1, 23),
    save(2, 24),
  ];
  const links = [
    [20, 10, 0, 6, 1, "TEXT"],
    [21, 4, 0, 10, 0, "TEXT"],
    [22, 4, 0, 6, 0, "TEXT"],
    [23, 6, 0, 1, 0, "TEXT"],
    [24, 7, 0, 2, 0, "TEXT"],
  ];
  const through = { ...writer, inputs: [port("words", "TEXT", 1)] };
  const bypassed = graphOf({ nodes: nodes(4), links, subgraphs: [through] });
  assert.deepEqual(
    [bypassed["6"], bypassed["7"]],
    [
      { label: "l", one: ["4", 0], two: ["4", 0] },
      { label: "l", one: ["4", 0] },
    ],
  );
  // The optional input stays open; nodes that cannot run without it go, and so do the nodes that need those.
  const muted = graphOf({ nodes: nodes(2), links, subgraphs: [through] });
  assert.deepEqual([Object.keys(muted), muted["6"]], [["1", "4", "6"], { label: "l", one: ["4", 0] }]);
});

test("a bypassed node passes on the input of the requested type, by position before name", () => {
  const of = (fromSlot: number, type: string) =>
    graphOf({
      nodes: [
        { id: 4, type: "Load", widgets_values: ["x.png", "image"] },
        {
          id: 5,
          type: "Turn",
          mode: 4,
          inputs: [slot("image", "IMAGE", 1), slot("mask", "MASK", 2)],
          outputs: [{ type: "MASK" }, { type: "IMAGE" }],
        },
        { id: 6, type: "Reroute", inputs: [slot("", type, 3)], outputs: [{ type }] },
        {
          id: 7,
          type: "Turn",
          inputs: [slot("image", "IMAGE", type === "IMAGE" ? 4 : 1), slot("mask", "MASK", type === "MASK" ? 4 : 2)],
        },
      ],
      links: [
        [1, 4, 0, 5, 0, "IMAGE"],
        [2, 4, 1, 5, 1, "MASK"],
        [3, 5, fromSlot, 6, 0, type],
        [4, 6, 0, 7, 0, type],
      ],
    })["7"];
  assert.deepEqual(
    [of(0, "MASK"), of(1, "IMAGE")],
    [
      { image: ["4", 0], mask: ["4", 1] },
      { image: ["4", 0], mask: ["4", 1] },
    ],
  );
});

test("values passed by name are found in the same graph and in the graphs around it", () => {
  const reader = {
    id: "reader",
    outputs: [port("TEXT", "TEXT", 2)],
    nodes: [{ id: 33, type: "GetNode", widgets_values: ["greeting"] }],
    links: [line(2, 33, -20)],
  };
  const graph = graphOf({
    nodes: [
      { id: 4, type: "Text", widgets_values: ["far"] },
      { id: 5, type: "SetNode", inputs: [slot("TEXT", "TEXT", 1)], widgets_values: ["greeting"] },
      { id: 10, type: "reader" },
      save(1, 20),
    ],
    links: [
      [1, 4, 0, 5, 0, "TEXT"],
      [20, 10, 0, 1, 0, "TEXT"],
    ],
    subgraphs: [reader],
  });
  assert.deepEqual(graph["1"], { value: ["4", 0] });
});

test("choices with their own inputs, growing inputs and controls of every kind convert", () => {
  const graph = graphOf({
    nodes: [
      {
        id: 1,
        type: "Kinds",
        inputs: [slot("texts.t0", "TEXT", 1), slot("texts.t4", "TEXT", 2)],
        widgets_values: ["text", "w", false],
      },
      { id: 2, type: "Kinds", widgets_values: ["size", 3] },
      { id: 3, type: "Kinds", widgets_values: [] },
      { id: 4, type: "Pick", widgets_values: ["b", "increment-wrap", "", 9] },
      { id: 5, type: "Noise", widgets_values: [1, "randomize", 0.1] },
      { id: 6, type: "Forced", widgets_values: [3, "n"] },
      { id: 7, type: "Forced", widgets_values: ["n"] },
      { id: 8, type: "Pick", widgets_values: [null] },
      { id: 9, type: "Text", widgets_values: ["{red|blue} /* not this */hat \\{x\\} {a {b|c}|d} // nor this"] },
      { id: 10, type: "Curve", widgets_values: [[[0, 1]], ["#fff"]] },
      { id: 11, type: "Text", inputs: [slot("text", "STRING", 77)], widgets_values: [] },
    ],
    links: [
      [1, 9, 0, 1, 0, "TEXT"],
      [2, 9, 0, 1, 1, "TEXT"],
    ],
  });
  assert.deepEqual(graph, {
    1: { kind: "text", "kind.words": "w", last: false, "texts.t0": ["9", 0], "texts.t4": ["9", 0] },
    2: { kind: "size", "kind.width": 3, "kind.height": 0, last: true },
    3: { kind: "size", "kind.width": 8, "kind.height": 0, last: true },
    4: { mode: "b", steps: 9 },
    5: { noise_seed: 1, strength: 0.1 },
    6: { name: "n" },
    7: { name: "n" },
    8: { mode: "a", steps: 4 },
    9: { text: "red hat {x} a b " },
    10: { curve: { __type__: "CURVE", __value__: [[0, 1]] }, colors: { __value__: ["#fff"] } },
    11: { text: "" },
  });
});

test("titles are the file's, or else the class's", () => {
  const result = convert({
    nodes: [
      { id: 1, type: "Save" },
      { id: 2, type: "Save", title: "Mine" },
      { id: 3, type: "Curve" },
    ],
  });
  assert.deepEqual(result.ok ? Object.values(result.graph).map(({ _meta }) => _meta?.title) : [], [
    "Keep it",
    "Mine",
    "Curve",
  ]);
});

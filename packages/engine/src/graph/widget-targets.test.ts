import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { line, port, slot } from "./editor-classes.fixture.ts";
import { widgetTargets } from "./widget-targets.ts";

const found = (nodes: readonly object[], links: readonly unknown[], subgraphs: readonly object[]) =>
  Object.fromEntries(
    [...widgetTargets({ nodes, links, definitions: { subgraphs } })].map(([id, widgets]) => [
      id,
      Object.fromEntries(widgets),
    ]),
  );

const writer = {
  id: "writer",
  inputs: [port("words", "STRING", 1, 2), port("size", "INT", 4)],
  nodes: [
    { id: 3, type: "Text", inputs: [slot("text", "STRING", 1)] },
    { id: 4, type: "Reroute", inputs: [slot("", "STRING", 2)] },
    { id: 5, type: "Text", inputs: [slot("title", "STRING", 3)] },
    { id: 6, type: "Noise", inputs: [slot("noise_seed", "INT"), slot("size", "INT", 4)] },
  ],
  links: [line(1, -10, 3), line(2, -10, 4), line(3, 4, 5), line(4, -10, 6, 1, 1)],
};
const outer = {
  id: "outer",
  inputs: [port("all words", "STRING", 1)],
  nodes: [{ id: 8, type: "writer", inputs: [slot("words", "STRING", 1)] }],
  links: [line(1, -10, 8)],
};

test("a widget of an instance leads to every inner input that it feeds, through reroutes and inner subgraphs", () => {
  const nodes = [
    { id: 10, type: "writer" },
    { id: 11, type: "outer" },
  ];
  assert.deepEqual(found(nodes, [], [writer, outer]), {
    10: {
      words: [
        { node: "10:3", input: "text" },
        { node: "10:5", input: "title" },
      ],
      size: [{ node: "10:6", input: "size" }],
    },
    11: {
      "all words": [
        { node: "11:8:3", input: "text" },
        { node: "11:8:5", input: "title" },
      ],
    },
  });
});

test("widgets that older files name on an instance, and primitive nodes, lead to their places too", () => {
  const proxyWidgets = [
    ["6", "noise_seed"],
    ["-1", "words"],
    ["99", "gone"],
  ];
  const nodes = [
    { id: 10, type: "writer", properties: { proxyWidgets } },
    { id: 1, type: "PrimitiveNode" },
    { id: 2, type: "Text", inputs: [slot("text", "STRING", 7)] },
  ];
  const { 10: instance, 1: primitive } = found(nodes, [[7, 1, 0, 2, 0, "STRING"]], [writer]);
  assert.deepEqual(instance?.["noise_seed"], [{ node: "10:6", input: "noise_seed" }]);
  assert.deepEqual(primitive, { value: [{ node: "2", input: "text" }] });
});

test("circles end, and nothing throws, whatever is in the file", () => {
  const circle = {
    id: "circle",
    inputs: [port("words", "STRING", 1)],
    nodes: [
      { id: 3, type: "Reroute", inputs: [slot("", "STRING", 2)] },
      { id: 4, type: "Reroute", inputs: [slot("", "STRING", 1)] },
    ],
    links: [line(1, -10, 4), line(2, 4, 3), line(3, 3, 4)],
  };
  assert.deepEqual(found([{ id: 1, type: "circle" }], [], [circle]), { 1: { words: [] } });
  const itself = { ...outer, nodes: [{ id: 8, type: "outer", inputs: [slot("all words", "STRING", 1)] }] };
  assert.deepEqual(found([{ id: 1, type: "outer" }], [], [itself]), {});
  fc.assert(fc.property(fc.anything(), (value) => void widgetTargets(value)));
});

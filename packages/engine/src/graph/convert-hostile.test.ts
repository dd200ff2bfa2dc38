import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { conversionOf, convertUiGraph } from "./convert-ui-graph.ts";
import { classes, described, graphOf, problemsOf, slot } from "./editor-classes.fixture.ts";

test("subgraphs that are cyclic, undefined, endless or have duplicate ids are reported", () => {
  const ring = { id: "ring", name: "Ring", nodes: [{ id: 2, type: "ring" }] };
  assert.deepEqual(problemsOf({ nodes: [{ id: 1, type: "ring" }], subgraphs: [ring] }), [
    'Node 1:2 contains itself: the subgraph "Ring".',
  ]);
  const missing = "00000000-0000-4000-8000-000000000000";
  assert.match(problemsOf({ nodes: [{ id: 1, type: missing }] })[0] ?? "", /Node 1 is an instance of a subgraph that/);
  assert.match(problemsOf({ nodes: [{ id: 1, type: "workflow>old" }] })[0] ?? "", /Node 1 is a group node/);
  assert.deepEqual(
    problemsOf({
      nodes: [
        { id: 1, type: "Text" },
        { id: 1, type: "Text" },
      ],
    }),
    ["Two nodes have the same id, 1."],
  );
  // Each contains two of the next: 2⁴⁰ nodes if it were expanded.
  const doubling = Array.from({ length: 40 }, (_, at) => ({
    id: `d${at}`,
    nodes: [1, 2].map((nth) => ({ id: at * 2 + nth + 100, type: at === 39 ? "Text" : `d${at + 1}` })),
  }));
  assert.match(problemsOf({ nodes: [{ id: 1, type: "d0" }], subgraphs: doubling })[0] ?? "", /more than 10000 nodes/);
  const deep = Array.from({ length: 100 }, (_, at) => ({
    id: `e${at}`,
    nodes: [{ id: at + 500, type: `e${at + 1}` }],
  }));
  assert.match(problemsOf({ nodes: [{ id: 1, type: "e0" }], subgraphs: deep })[0] ?? "", /more than 64 subgraphs deep/);
});

test("names that every object has are names like any other", () => {
  const graph = graphOf({
    nodes: [
      { id: "__proto__", type: "Text", widgets_values: ["a"] },
      { id: "constructor", type: "__proto__", inputs: [slot("__proto__", "TEXT", 1)] },
      { id: 3, type: "Join", inputs: [slot("one", "TEXT", 1), slot("__proto__", "TEXT", 1)] },
    ],
    links: [[1, "__proto__", 0, 3, 0, "TEXT"]],
    subgraphs: [{ id: "__proto__", nodes: [] }],
  });
  assert.deepEqual(Object.keys(graph), ["3", "__proto__"]);
  assert.deepEqual(Object.keys(graph["3"] ?? {}).sort(), ["__proto__", "label", "one"]);
});

test("ten thousand nodes convert, in steps, each link followed once", () => {
  const count = 10_000;
  // A chain of reroutes, with a node for every link: walked from the start each time, that would be fifty million steps.
  const nodes = Array.from({ length: count }, (_, at) => {
    if (at === 0) return { id: 0, type: "Text", widgets_values: ["x"] };
    if (at < count / 2) return { id: at, type: "Reroute", inputs: [slot("", "*", at)], outputs: [{ type: "*" }] };
    return { id: at, type: "Save", inputs: [slot("value", "TEXT", at)] };
  });
  const links = nodes.map((_, at) => [at, at < count / 2 ? at - 1 : at - count / 2, 0, at, 0, "TEXT"]);
  const steps = conversionOf({ nodes, links }, classes);
  let stepCount = 0;
  let next = steps.next();
  while (next.done !== true) {
    stepCount += 1;
    next = steps.next();
  }
  assert.ok(next.value.ok);
  assert.ok(stepCount > 40, String(stepCount));
  assert.deepEqual(next.value.graph["9999"]?.inputs, { value: ["0", 0] });
});

test("no input crashes the conversion, subgraphs included", () => {
  const id = fc.oneof(fc.integer({ min: -20, max: 6 }), fc.constantFrom("1", "a", "__proto__", null));
  const type = fc.constantFrom(
    ...Object.keys(described),
    "Reroute",
    "PrimitiveNode",
    "GetNode",
    "SetNode",
    "s0",
    "s1",
    "s2",
    "?",
  );
  const values = fc.oneof(fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }), fc.jsonValue());
  const node = fc.record({
    id,
    type,
    mode: fc.constantFrom(0, 2, 4),
    inputs: fc.array(
      fc.record({
        name: fc.constantFrom("words", "text", "one", "value", ""),
        type: fc.constantFrom("TEXT", "*"),
        link: id,
      }),
    ),
    outputs: fc.array(fc.record({ type: fc.constantFrom("TEXT", "*") })),
    widgets_values: values,
    properties: fc.record({ proxyWidgets: fc.array(fc.array(fc.constantFrom("1", "2", "-1", "text", "words"))) }),
  });
  const level = {
    nodes: fc.array(fc.oneof(node, fc.jsonValue()), { maxLength: 5 }),
    links: fc.array(
      fc.oneof(fc.tuple(id, id, id, id, id), fc.record({ id, origin_id: id, origin_slot: id, target_id: id })),
      { maxLength: 6 },
    ),
  };
  const ports = fc.array(fc.record({ name: fc.constantFrom("words", "text"), linkIds: fc.array(id) }), {
    maxLength: 2,
  });
  const subgraph = fc.record({ id: fc.constantFrom("s0", "s1", "s2"), inputs: ports, outputs: ports, ...level });
  fc.assert(
    fc.property(fc.record(level), fc.array(subgraph, { maxLength: 3 }), (graph, subgraphs) => {
      const result = convertUiGraph({ ...graph, definitions: { subgraphs } }, classes);
      if (!result.ok) assert.ok(result.unknownClasses.length + result.problems.length > 0);
    }),
    { numRuns: 500 },
  );
});

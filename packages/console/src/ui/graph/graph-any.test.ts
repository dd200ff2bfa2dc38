// The layout and the comparison of graphs, for any graph.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  changesBetween,
  type Graph,
  isEditorGraph,
  linkIn,
  linksOf,
  nodesOf,
  positionsIn,
  readApiGraph,
  titleOf,
  valuesOf,
} from "../../api/graphs.ts";
import { layoutOf, nodeHeight, nodeWidth } from "./graph-layout.ts";

const write = (value: unknown): string => JSON.stringify(value);
const ids = fc.integer({ min: 1, max: 12 }).map(String);
const inputs = fc.dictionary(
  fc.constantFrom("image", "text", "seed"),
  fc.oneof(fc.tuple(ids, fc.integer({ min: 0, max: 2 })), fc.string(), fc.integer()),
  { noNullPrototype: true },
);
const graphs: fc.Arbitrary<Graph> = fc.dictionary(
  ids,
  fc.record({ class_type: fc.constantFrom("A", "B"), inputs }, { noNullPrototype: true }),
  {
    maxKeys: 9,
    noNullPrototype: true,
  },
);

describe("a layout", () => {
  test("gives each node a position, and no two overlap, even with cycles or without links", () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom("LR" as const, "TB" as const), (graph, direction) => {
        const placed = [...layoutOf(graph, null, direction)];
        assert.deepEqual(placed.map(([id]) => id).toSorted(), Object.keys(graph).toSorted());
        for (const [at, [, one]] of placed.entries())
          for (const [, other] of placed.slice(at + 1))
            assert.ok(Math.abs(one.x - other.x) >= nodeWidth - 1e-6 || Math.abs(one.y - other.y) >= nodeHeight - 1e-6);
      }),
      { numRuns: 40 },
    );
  });

  test("follows the links: to the right, and down on a narrow screen", () => {
    const graph: Graph = {
      1: { class_type: "A", inputs: {} },
      2: { class_type: "B", inputs: { image: ["1", 0] } },
    };
    const [wide, narrow] = [layoutOf(graph, null, "LR"), layoutOf(graph, null, "TB")];
    assert.ok((wide.get("1")?.x ?? 0) < (wide.get("2")?.x ?? 0));
    assert.ok((narrow.get("1")?.y ?? 0) < (narrow.get("2")?.y ?? 0));
  });
});

describe("a graph", () => {
  test("lists nodes by number, and splits inputs into links and values", () => {
    const graph: Graph = Object.fromEntries(["10", "2", "1"].map((id) => [id, { class_type: "A", inputs: {} }]));
    assert.deepEqual(
      nodesOf(graph).map(([id]) => id),
      ["1", "2", "10"],
    );
    fc.assert(
      fc.property(graphs, (any) => {
        const all = Object.values(any).reduce((sum, node) => sum + Object.keys(node.inputs).length, 0);
        const values = Object.entries(any).flatMap(([id, node]) => valuesOf(id, node)).length;
        const toMissing = Object.values(any)
          .flatMap((node) => Object.values(node.inputs))
          .filter((value) => !Object.hasOwn(any, linkIn(value)?.[0] ?? "") && linkIn(value) !== null).length;
        assert.equal(linksOf(any).length + values + toMissing, all);
      }),
    );
  });

  test("takes only [node, index] for a link", () => {
    assert.deepEqual(linkIn(["4", 0]), ["4", 0]);
    assert.deepEqual(linkIn([4, 1]), ["4", 1]);
    for (const other of [["4"], ["4", -1], ["4", 0.5], ["4", "0"], [null, 0], "4", { 0: "4", 1: 0 }])
      assert.equal(linkIn(other), null);
  });

  test("is read in API format, and nothing else is accepted as one", () => {
    fc.assert(
      fc.property(graphs, (any) => {
        if (Object.keys(any).length > 0) assert.deepEqual(readApiGraph(structuredClone(any)), any);
      }),
    );
    for (const other of [null, [], {}, "x", { nodes: [] }, { 1: {} }, { 1: { class_type: 5 } }])
      assert.equal(readApiGraph(other), null);
    assert.deepEqual(readApiGraph({ 1: { class_type: "A", extra: 1, _meta: { title: "T" } } }), {
      1: { class_type: "A", inputs: {}, _meta: { title: "T" } },
    });
  });

  test("has the title that a person gave, else its class", () => {
    assert.equal(titleOf({ class_type: "A", inputs: {}, _meta: { title: "Mine" } }), "Mine");
    assert.equal(titleOf({ class_type: "A", inputs: {}, _meta: { title: "" } }), "A");
    assert.equal(titleOf(undefined, "7"), "7");
  });

  test("of the editor keeps its positions in both of the editor's formats", () => {
    const file = { nodes: [{ id: 1, pos: [10, 20] }, { id: 2, pos: { 0: 3, 1: 4 } }, { id: 3, pos: "no" }, null] };
    assert.ok(isEditorGraph(file));
    assert.deepEqual(
      [...positionsIn(file)],
      [
        ["1", { x: 10, y: 20 }],
        ["2", { x: 3, y: 4 }],
      ],
    );
    assert.equal(isEditorGraph({ nodes: {} }), false);
  });
});

describe("the changes between two graphs", () => {
  test("are none for the same graph, and vanish when they are undone", () => {
    fc.assert(
      fc.property(graphs, graphs, (one, other) => {
        assert.deepEqual(changesBetween(one, structuredClone(one), write), []);
        const [there, back] = [changesBetween(one, other, write), changesBetween(other, one, write)];
        assert.equal(there.length, back.length);
        const opposite = { added: "removed", removed: "added", changed: "changed" } as const;
        assert.deepEqual(
          there.map(({ nodeId, input, kind }) => [nodeId, input, opposite[kind]].join()).toSorted(),
          back.map(({ nodeId, input, kind }) => [nodeId, input, kind].join()).toSorted(),
        );
      }),
    );
  });

  test("name what was added, removed and changed, by node and input", () => {
    const before: Graph = {
      1: { class_type: "A", inputs: { seed: 1, text: "a" } },
      2: { class_type: "B", inputs: {} },
    };
    const after: Graph = { 1: { class_type: "A", inputs: { seed: 2, size: 8 } }, 3: { class_type: "C", inputs: {} } };
    assert.deepEqual(
      changesBetween(before, after, write).map(({ nodeId, input, kind }) => [nodeId, input, kind]),
      [
        ["1", "seed", "changed"],
        ["1", "text", "removed"],
        ["1", "size", "added"],
        ["2", null, "removed"],
        ["3", null, "added"],
      ],
    );
  });

  test("include a seed that differs only beyond 2^53", () => {
    const graph = (seed: bigint): Graph => ({ 1: { class_type: "A", inputs: { seed } } });
    assert.equal(changesBetween(graph(2n ** 60n), graph(2n ** 60n + 1n), String).length, 1);
  });
});

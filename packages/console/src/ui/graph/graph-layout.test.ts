// Nodes at the editor's positions never overlap.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph, Positions } from "../../api/graphs.ts";
import { layoutOf, nodeHeight, nodeWidth } from "./graph-layout.ts";

const graph: Graph = Object.fromEntries(
  ["1", "2", "3"].map((id) => [id, { class_type: "EmptyImage", inputs: id === "1" ? {} : { image: ["1", 0] } }]),
);
const at = (...positions: readonly (readonly [number, number])[]): Positions =>
  new Map(positions.map(([x, y], index) => [String(index + 1), { x, y }]));

function covering(positions: Positions): boolean {
  const all = [...positions.values()];
  return all.some((one, index) =>
    all
      .slice(index + 1)
      .some((other) => Math.abs(one.x - other.x) < nodeWidth && Math.abs(one.y - other.y) < nodeHeight),
  );
}

test("nodes that the editor placed side by side or close below each other do not overlap", () => {
  for (const known of [
    at([0, 0], [212, 0], [424, 0]),
    at([0, 0], [0, 90], [0, 180]),
    at([0, 0], [10, 10], [20, 20]),
    at([0, 0], [600, 400], [1200, 0]),
  ]) {
    const placed = layoutOf(graph, known, "LR");
    assert.equal(placed.size, 3);
    assert.equal(covering(placed), false, JSON.stringify([...known]));
  }
  const roomy = layoutOf(graph, at([0, 0], [600, 400], [1200, 0]), "LR");
  assert.deepEqual(roomy.get("2"), { x: 480, y: 200 }, "closer together where there is room");
});

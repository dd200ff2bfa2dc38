import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linkedNodes, neededFor, orderOf } from "./node-order.ts";

// Node n links to some of the nodes before it, so there is no cycle.
const graphs = fc.array(fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), { minLength: 1, maxLength: 30 }).map((links) =>
  Object.fromEntries(
    links.map((sources, index) => [
      `n${index}`,
      {
        class_type: "X",
        inputs: Object.fromEntries(
          sources.flatMap((source, at) => (index === 0 ? [] : [[`i${at}`, [`n${source % index}`, 0]]])),
        ),
      },
    ]),
  ),
);

test("everything an output needs is ordered, once, after its own inputs", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const outputs = Object.keys(graph).slice(-2);
      const needed = neededFor(graph, outputs, () => false);
      const order = orderOf(graph, needed, new Set(outputs));
      assert.deepEqual(new Set(order), needed);
      assert.equal(order.length, needed.size);
      for (const [at, id] of order.entries())
        for (const source of linkedNodes(graph, id)) assert.ok(order.indexOf(source) < at);
    }),
  );
});

test("visible results come first: an output that is ready runs before other work", () => {
  const node = (...links: string[]) => ({
    class_type: "X",
    inputs: Object.fromEntries(links.map((link) => [link, [link, 0]])),
  });
  const graph = { a: node(), slow: node("a"), other: node("slow"), shown: node("a") };
  const needed = neededFor(graph, ["other", "shown"], () => false);
  assert.deepEqual(orderOf(graph, needed, new Set(["other", "shown"])), ["a", "shown", "slow", "other"]);
});

test("cached nodes, and those that only they need, are left out", () => {
  const node = (...links: string[]) => ({
    class_type: "X",
    inputs: Object.fromEntries(links.map((link) => [link, [link, 0]])),
  });
  const graph = { a: node(), b: node("a"), c: node("b"), d: node() };
  assert.deepEqual(
    neededFor(graph, ["c"], (id) => id === "b"),
    new Set(["c"]),
  );
});

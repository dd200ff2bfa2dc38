import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeNodes, encodeNodes, isOlderPicture, type NodePicture } from "./node-picture.ts";

const name = fc.string({ maxLength: 20 }).map((text) => text.replaceAll("\0", ""));
const classType = fc.constantFrom("Blend", "Blur", "Zoom ✓");
const ended = fc.constantFrom(
  "waiting" as const,
  "running" as const,
  "cached" as const,
  "done" as const,
  "failed" as const,
);
const entry = fc.record({
  nodeId: name,
  classType,
  title: fc.option(name),
  state: ended,
  share: fc.constant(0),
  beganMs: fc.option(fc.nat()),
  ms: fc.option(fc.nat()),
});
const count = fc.nat(10_000);
const picture: fc.Arbitrary<NodePicture> = fc.record({
  attempt: fc.nat(9),
  sequence: fc.nat(),
  counts: fc.record({ waiting: count, running: count, cached: count, done: count, failed: count }),
  classes: fc.constant([]),
  nodes: fc.uniqueArray(entry, { selector: ({ nodeId }) => nodeId, maxLength: 30 }),
});

test("a picture is read as it was written", () => {
  fc.assert(
    fc.property(picture, (given) => {
      const read = decodeNodes(encodeNodes(given));
      const whole = ({ state }: { state: string }) => (state === "done" || state === "cached" ? 1 : 0);
      assert.deepEqual(read && { ...read, classes: [] }, {
        ...given,
        counts: { ...given.counts },
        nodes: given.nodes.map((node) => ({ ...node, share: whole(node) })),
      });
    }),
  );
});

test("any input from a worker gives a bounded picture or none", () => {
  const good = encodeNodes({
    attempt: 1,
    sequence: 5,
    counts: { waiting: 0, running: 0, cached: 0, done: 1, failed: 0 },
    classes: [{ classType: "Blend", ran: 1, ms: 3, cached: 0 }],
    nodes: [{ nodeId: "1", classType: "Blend", title: "x", state: "done", share: 1, beganMs: 2, ms: 3 }],
  });
  assert.equal(good, '[1,1,5,[0,0,0,1,0],[["Blend",1,3,0]],[["1",0,"x",3,3,"",0,2]]]');
  const broken = [
    "",
    "null",
    "{}",
    "[]",
    good.replace("[1,1,5", "[2,1,5"),
    good.replace("[0,0,0,1,0]", "[0,0,0,-1,0]"),
    good.replace("[0,0,0,1,0]", "[0,0,0,1]"),
    good.replace('["1",0,', '["1",7,'),
    good.replace('["1",0,', '["1","__proto__",'),
    good.replace('["1",0,', "[1,0,"),
    good.replace('"x",3,', '"x",5,'),
    good.replace('"x",3,3', '"x",3,-2'),
    good.replace('"",0,2', '"",0,-2'),
    good.replace('"x"', JSON.stringify("x".repeat(300))),
    good.replace('"x"', '"a\\u0000b"'),
    `[1,1,5,[0,0,0,1,0],[["Blend",1,3,0]],[${Array(501).fill('["1",0]').join(",")}]]`,
    `${good}${" ".repeat(70_000)}`,
  ];
  for (const text of broken) assert.equal(decodeNodes(text), null, text.slice(0, 80));
  fc.assert(
    fc.property(fc.json(), (text) => {
      const read = decodeNodes(text);
      assert.ok(read === null || read.nodes.length <= 500);
    }),
  );
});

test("a later picture of the same attempt is newer, and so is any of a later attempt", () => {
  const at = (attempt: number, sequence: number) => `[1,${attempt},${sequence},[0,0,0,0,0],[],[]]`;
  assert.ok(isOlderPicture(at(1, 5), at(1, 6)) && isOlderPicture(at(1, 9), at(2, 1)) && isOlderPicture(null, at(1, 1)));
  assert.ok(
    !isOlderPicture(at(1, 6), at(1, 5)) && !isOlderPicture(at(2, 1), at(1, 9)) && !isOlderPicture(at(1, 1), null),
  );
  assert.ok(!isOlderPicture(at(1, 1), at(1, 1)));
});

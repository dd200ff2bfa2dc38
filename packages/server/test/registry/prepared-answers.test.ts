import assert from "node:assert/strict";
import { test } from "node:test";
import { answerPrepared, createPreparedAnswers, prepare } from "../../src/areas/node-registry/prepared-answers.ts";
import { createNodeChanges } from "../../src/capabilities/registry/nodes/node-changes.ts";
import { inProcessBus } from "../../src/foundation/bus/bus.ts";
import { handClock } from "../../src/foundation/hand-clock.fixture.ts";

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function build() {
  const clock = handClock();
  const bus = inProcessBus();
  const database = { query: async () => [], execute: async () => 0 };
  const make = () => {
    const changes = createNodeChanges({ database, bus });
    return { ...createPreparedAnswers({ clock, changes }), nodesChanged: changes.nodesChanged };
  };
  return { clock, here: make(), there: make() };
}

test("a change drops the node and every page, here at once and in other processes over the bus", async () => {
  const { here, there } = build();
  for (const side of [here, there]) {
    for (const id of ["a", "b"]) side.keepNode(id, prepare({ id }), side.beginning());
    side.keepPage("/nodes?", prepare({}), side.beginning());
  }
  here.nodesChanged(["a"]);
  assert.deepEqual([here.node("a"), here.page("/nodes?")], [undefined, undefined]);
  assert.ok(here.node("b"), "other nodes stay");
  await turn();
  assert.deepEqual([there.node("a"), there.page("/nodes?")], [undefined, undefined]);
  assert.ok(there.node("b"));
});

test("an answer read before a change is not cached after it", () => {
  const { here } = build();
  const beginning = here.beginning();
  here.nodesChanged(["a"]);
  here.keepNode("a", prepare({ old: true }), beginning);
  here.keepPage("/nodes?", prepare({ old: true }), beginning);
  assert.deepEqual([here.node("a"), here.page("/nodes?")], [undefined, undefined]);
});

test("an answer is at most a minute old, so that counted installs show", () => {
  const { here, clock } = build();
  here.keepNode("a", prepare({}), here.beginning());
  clock.advance(59_999);
  assert.ok(here.node("a"));
  clock.advance(1);
  assert.equal(here.node("a"), undefined);
});

test("pages do not fill the memory: the oldest goes when they get too large", () => {
  const { here } = build();
  const heavy = prepare("x".repeat(10 * 1024 * 1024));
  for (let at = 0; at < 8; at++) here.keepPage(`/nodes?page=${at}`, heavy, here.beginning());
  assert.equal(here.page("/nodes?page=0"), undefined);
  assert.ok(here.page("/nodes?page=7"));
});

test("a matching ETag saves the body", () => {
  const prepared = prepare({ id: "a" });
  assert.equal(answerPrepared(prepared, `W/${prepared.etag}`).status, 304);
  assert.equal(answerPrepared(prepared, '"another"').status, 200);
  assert.equal(answerPrepared(prepared, undefined).status, 200);
  assert.equal(prepare({ id: "a" }).etag, prepared.etag);
});

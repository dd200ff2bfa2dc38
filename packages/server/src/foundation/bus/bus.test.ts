import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessBus } from "./bus.ts";
import { packPayloads } from "./postgres-bus.ts";

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("a message reaches every subscriber of its topic and nobody else, until they leave", async () => {
  const bus = inProcessBus();
  const got: unknown[] = [];
  const leave = bus.subscribe("a", (message) => got.push(["first", message]));
  bus.subscribe("a", (message) => got.push(["second", message]));
  bus.subscribe("b", (message) => got.push(["other", message]));
  bus.publish("a", 1);
  await turn();
  leave();
  bus.publish("a", 2);
  await turn();
  assert.deepEqual(got, [
    ["first", 1],
    ["second", 1],
    ["second", 2],
  ]);
  await bus.close();
});

test("many small messages travel together, and none of the payloads is too large for the database", () => {
  const messages = Array.from({ length: 500 }, (_, index) => ["topic", `message ${index}`] as const);
  const payloads = packPayloads("me", messages);
  assert.ok(payloads.length > 1 && payloads.every((payload) => Buffer.byteLength(payload) < 8000));
  const unpacked = payloads.flatMap((payload) => (JSON.parse(payload) as { messages: unknown[] }).messages);
  assert.deepEqual(unpacked, messages);
});

test("a message that no payload can hold is dropped, and its neighbours are not", () => {
  const payloads = packPayloads("me", [
    ["a", 1],
    ["b", "x".repeat(9000)],
    ["c", 3],
  ]);
  const unpacked = payloads.flatMap((payload) => (JSON.parse(payload) as { messages: unknown[] }).messages);
  assert.deepEqual(unpacked, [
    ["a", 1],
    ["c", 3],
  ]);
});

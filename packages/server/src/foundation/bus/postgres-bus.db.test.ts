import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { systemClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import type { Bus } from "./bus.ts";
import { postgresBus } from "./postgres-bus.ts";

let database: TestDatabase;
const buses: Bus[] = [];
before(async () => {
  database = await testDatabase();
});
after(async () => {
  for (const bus of buses) await bus.close();
  await database.close();
});

function open(): Bus {
  const bus = postgresBus({ connection: database.url, database, clock: systemClock, log: silentLog });
  buses.push(bus);
  return bus;
}

test("what one process publishes reaches the subscribers of another, and its own exactly once", async () => {
  const [here, there] = [open(), open()];
  const own: unknown[] = [];
  const other: unknown[] = [];
  here.subscribe("calls", (message) => own.push(message));
  there.subscribe("calls", (message) => other.push(message));
  // The other process subscribes in the background: earlier messages are lost, as on any bus.
  for (let tries = 0; other.length === 0 && tries < 2_000; tries++) {
    here.publish("calls", "hello");
    await systemClock.sleep(30);
  }
  assert.ok(other.length > 0);
  for (let index = 0; index < 300; index++) here.publish("calls", index);
  // A greeting may still be in transit and arrive first.
  const numbers = (messages: readonly unknown[]) => messages.filter((message) => typeof message === "number");
  for (let tries = 0; numbers(other).length < 300 && tries < 3_000; tries++) await systemClock.sleep(20);
  const expected = Array.from({ length: 300 }, (_, index) => index);
  assert.deepEqual(numbers(other), expected);
  assert.deepEqual(numbers(own), expected);
});

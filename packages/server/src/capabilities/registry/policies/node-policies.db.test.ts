import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { createBackground } from "../../../foundation/background.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../../foundation/log.ts";
import { type ClassPolicy, createNodePolicies, type NodePolicies } from "./node-policies.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const clock = handClock();
const bus = inProcessBus();
const open = () => createNodePolicies({ database, bus });
const refusedAt = (policies: NodePolicies, hosting: "hosted" | "local") =>
  policies.at(hosting).refused({ classes: ["Free", "Class"] });

async function say(policies: NodePolicies, holder: string, policy: ClassPolicy): Promise<void> {
  await database.transaction((tx) => policies.set(tx, { className: "Class", holder, policy }));
  await policies.changed();
}

test("a banned class runs nowhere, a local-only one only on the caller's machine, and the strictest policy wins", async () => {
  const policies = open();
  await policies.load();
  assert.deepEqual(refusedAt(policies, "hosted"), []);
  await say(policies, "one", "NodePolicyLocalOnly");
  assert.deepEqual([refusedAt(policies, "hosted"), refusedAt(policies, "local")], [["Class"], []]);
  await say(policies, "two", "NodePolicyBanned");
  assert.deepEqual([refusedAt(policies, "hosted"), refusedAt(policies, "local")], [["Class"], ["Class"]]);
  await say(policies, "one", "NodePolicyActive");
  assert.deepEqual(refusedAt(policies, "local"), ["Class"]);
  await say(policies, "two", "NodePolicyActive");
  assert.deepEqual(refusedAt(policies, "hosted"), []);
});

test("a policy rolled back with its transaction has no effect", async () => {
  const policies = open();
  const failing = database.transaction(async (tx) => {
    await policies.set(tx, { className: "Class", holder: "one", policy: "NodePolicyBanned" });
    throw new Error("taken back");
  });
  await assert.rejects(failing, /taken back/);
  await policies.changed();
  assert.deepEqual(refusedAt(policies, "hosted"), []);
});

test("another process hears of it over the bus, and without the bus by looking again", async () => {
  const [here, there, deaf] = [open(), open(), createNodePolicies({ database, bus: inProcessBus() })];
  const stop = new AbortController();
  const running = [there, deaf].map((each) => each.run(createBackground({ clock, log: silentLog }), stop.signal));
  await say(here, "one", "NodePolicyBanned");
  while (refusedAt(there, "hosted").length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(refusedAt(deaf, "hosted"), []);
  await clock.advance(5_000);
  while (refusedAt(deaf, "hosted").length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await Promise.all(running);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bus, inProcessBus } from "./bus.ts";
import { forgettingAlone, forgettingOver } from "./forgetting.ts";

// One bus shared by all users, as several processes would share one.
const sharedBus = (): Bus => ({ ...inProcessBus(), reachesOthers: true });

test("this process forgets at once, and the others once they are notified", async () => {
  const bus = sharedBus();
  const forgotten: string[] = [];
  const [here, there] = [forgettingOver(bus), forgettingOver(bus)];
  const forget = here.share("limits", (key) => forgotten.push(`here ${key}`));
  there.share("limits", (key) => forgotten.push(`there ${key}`));
  there.share("rights", (key) => forgotten.push(`rights ${key}`));
  const forgetting = forget("w1");
  assert.deepEqual(forgotten, ["here w1"]);
  await forgetting;
  assert.ok(forgotten.includes("there w1"));
  assert.ok(!forgotten.includes("rights w1"));
});

test("messages of another version are ignored", async () => {
  const bus = sharedBus();
  const forgotten: string[] = [];
  forgettingOver(bus).share("limits", (key) => forgotten.push(key));
  for (const message of [null, "limits", { name: "limits" }, ["limits", 7], ["unknown", "w1"], ["limits", "w2"]])
    bus.publish("forgotten", message);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.deepEqual(forgotten, ["w2"]);
});

test("a lone process notifies nobody and does not wait", async () => {
  const forgotten: string[] = [];
  await forgettingAlone.share("limits", (key) => forgotten.push(key))("w1");
  assert.deepEqual(forgotten, ["w1"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId, trustedId } from "../../foundation/ids.ts";
import { PollPlan } from "./poll-plan.ts";
import type { OpenTask } from "./task-store.ts";

const aTask = (): OpenTask => ({
  id: newId<"call">(),
  workspaceId: trustedId("w"),
  partner: "p",
  operation: "o",
  partnerTaskId: "1",
  state: "created",
  createdAt: new Date(0),
  longestRunSeconds: 60,
});

test("nothing is due before its time, and everything soon after it, once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 50 }), (dues) => {
      const plan = new PollPlan(0);
      const dueOf = new Map(dues.map((due) => [aTask(), due]));
      for (const [task, due] of dueOf) plan.add(task, due, 1000);
      const found = new Set<OpenTask>();
      for (let now = 0; now <= 20_200; now += 100) {
        for (const { task } of plan.due(now, 1000)) {
          assert.ok(!found.has(task), "once");
          found.add(task);
          const due = dueOf.get(task) ?? 0;
          assert.ok(now >= due && now - due <= 200, `${due} at ${now}`);
        }
      }
      assert.equal(found.size, dueOf.size);
    }),
  );
});

test("a task that found no room stays due", () => {
  const plan = new PollPlan(0);
  for (let count = 0; count < 10; count++) plan.add(aTask(), 50, 1000);
  assert.equal(plan.due(100, 4).length, 4);
  assert.equal(plan.due(100, 4).length, 4);
  assert.equal(plan.due(100, 4).length, 2);
});

test("a removed task is never due again, not even when it was being asked about", () => {
  const plan = new PollPlan(0);
  const [one, other] = [aTask(), aTask()];
  plan.add(one, 0, 1000);
  plan.add(other, 0, 1000);
  plan.remove(one.id);
  const [asked] = plan.due(100, 10);
  assert.equal(asked?.task, other);
  plan.remove(other.id);
  if (asked) plan.again(asked, 200);
  assert.deepEqual(plan.due(1_000, 10), []);
  assert.equal(plan.size, 0);
});

// Whatever callers, partner, callbacks and poller do to each other, in any order: a task has the partner's state, the
// wallet holds what open tasks may cost and has paid for completed ones, and every change was reported once and in order.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { textOf } from "./support/app-client.ts";
import { type PartnerApp, partnerApp, relightPath, taskIdOf } from "./support/partner-app.ts";
import { until } from "./support/server-process.ts";

let it: PartnerApp;
before(async () => {
  it = await partnerApp();
});
after(() => it.close());

const price = 21_100_000;

interface ModelTask {
  readonly id: string;
  readonly partnerId: string;
  status: string;
}

type Step =
  | { readonly kind: "start"; readonly hears: boolean }
  | { readonly kind: "move"; readonly task: number; readonly to: "IN_PROGRESS" | "COMPLETED" | "FAILED" }
  | { readonly kind: "read" | "callback" | "everything"; readonly task: number };

const task = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.boolean().map((hears) => ({ kind: "start", hears }) as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      task,
      to: fc.constantFrom("IN_PROGRESS" as const, "COMPLETED" as const, "FAILED" as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("read" as const, "callback", "everything"), task }) },
);

const isOver = (status: string) => status === "COMPLETED" || status === "FAILED";
const microCredits = async () => Math.round((await it.wallet()).available * 1e6 + (await it.wallet()).held * 1e6);

async function take(tasks: ModelTask[], one: Step): Promise<void> {
  if (one.kind === "start") {
    if (tasks.length >= 6) return;
    const answer = await it.relight(one.hears ? { webhook_url: it.receiver.url } : {});
    assert.equal(answer.status, 200, answer.text);
    tasks.push({ id: taskIdOf(answer), partnerId: it.partnerTaskOf(answer), status: "CREATED" });
    return;
  }
  const chosen = tasks[one.task % Math.max(1, tasks.length)];
  if (!chosen) return;
  const read = async () => {
    const answer = await it.read(`${relightPath}/${chosen.id}`);
    return textOf(answer.json(), "data", "status");
  };
  switch (one.kind) {
    case "move": {
      // A partner does not take back a state.
      if (isOver(chosen.status) || chosen.status === one.to) return;
      chosen.status = one.to;
      it.partner.state(
        chosen.partnerId,
        one.to,
        one.to === "COMPLETED" ? { generated: ["https://pictures.example/x"] } : {},
      );
      return;
    }
    case "read": {
      // At most a second old.
      const status = await read();
      if (isOver(status)) assert.equal(status, chosen.status);
      return;
    }
    case "callback":
      assert.equal(await it.partner.callback(chosen.partnerId), 200);
      assert.equal(await read(), chosen.status);
      return;
    case "everything":
      await Promise.all([read(), it.partner.callback(chosen.partnerId), it.partner.callback(chosen.partnerId), read()]);
      assert.equal(await read(), chosen.status);
  }
}

test("tasks, wallet and webhooks agree with the model after any sequence of steps", { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const before = await microCredits();
      const tasks: ModelTask[] = [];
      for (const one of steps) await take(tasks, one);
      for (const one of tasks) {
        if (!isOver(one.status)) {
          it.partner.state(one.partnerId, "COMPLETED", { generated: ["https://pictures.example/x"] });
          one.status = "COMPLETED";
        }
        await it.partner.callback(one.partnerId);
      }
      await until("nothing is held", async () => (await it.wallet()).held === 0);
      const completed = tasks.filter(({ status }) => status === "COMPLETED").length;
      assert.equal(before - (await microCredits()), completed * price);
      await it.invariantsHold();
    }),
    { numRuns: 15 },
  );
});

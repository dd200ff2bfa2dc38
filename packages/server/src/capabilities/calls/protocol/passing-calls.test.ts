import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import type { OwnedCall } from "../call/open-calls.ts";
import type { FreeUsage } from "../usage/usage-store.ts";
import { createPassingCalls } from "./passing-calls.ts";

const ending = (call: OwnedCall) => ({
  call,
  state: "finished" as const,
  outcome: "succeeded",
  charge: 0n,
  answer: null,
  usage: { requestId: null, apiKeyId: null, subject: "model:a/b", status: 200, totalMs: 5, providerMs: 4 },
});

test("a workspace never has more passing calls than slots beside its booked ones, each end frees exactly one, and each leaves a usage row", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.constantFrom("begin", "finish", "handOver", "book", "unbook"), { maxLength: 60 }),
      async (slotsMax, steps) => {
        const rows: FreeUsage[] = [];
        const passing = createPassingCalls({
          clock: handClock(),
          bus: inProcessBus(),
          usage: { recordUsage: (row) => void rows.push(row) },
        });
        const workspaceId = newId<"workspace">();
        const open: OwnedCall[] = [];
        const recorded: (() => void)[] = [];
        let finished = 0;
        for (const step of steps) {
          if (step === "begin") {
            const begun = passing.begin({ id: newId<"call">(), workspaceId, slotsMax });
            assert.equal(begun === null, open.length + recorded.length >= slotsMax);
            if (begun) assert.equal(begun.inFlight, open.push(begun.call) + recorded.length);
            continue;
          }
          if (step === "book") recorded.push(passing.besideRecorded(workspaceId));
          if (step === "unbook") recorded.pop()?.();
          if (step === "book" || step === "unbook") continue;
          const call = open.shift();
          if (!call) continue;
          if (step === "finish") {
            assert.equal(await passing.finish(ending(call)), true);
            finished++;
          } else await passing.handOver(call, 1);
        }
        assert.equal(passing.inFlight(workspaceId), open.length);
        assert.equal(rows.length, finished);
      },
    ),
  );
});

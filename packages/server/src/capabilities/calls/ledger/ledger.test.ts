import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalog, emptyLedger, type Ledger, linesOf, type Move } from "./ledger.fixture.ts";

const amount = fc.bigInt({ min: 0n, max: 10_000_000n });
const move = fc.oneof(
  fc.record({ kind: fc.constant("fund" as const), amount }),
  fc.record({ kind: fc.constant("withdraw" as const), amount }),
  fc.record({ kind: fc.constant("hold" as const), amount }),
  fc.record({ kind: fc.constant("end" as const), pick: fc.nat(), charge: amount, isUnknown: fc.boolean() }),
  fc.record({ kind: fc.constant("refund" as const), pick: fc.nat() }),
);

const total = (ledger: Ledger) => Object.values(ledger).reduce((sum, value) => sum + value, 0n);

test("over 1,000 random schedules nothing is created or lost at any step, and no balance of a customer is negative", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (schedule) => {
      let ledger = emptyLedger;
      const open: bigint[] = [];
      const settled: bigint[] = [];
      const apply = (move: Move) => {
        const lines = linesOf(ledger, move);
        if (lines) ledger = catalog(ledger, lines);
        return lines;
      };
      for (const step of schedule) {
        if (step.kind === "hold" && apply({ kind: "hold", amount: step.amount })) open.push(step.amount);
        else if (step.kind === "fund" || step.kind === "withdraw") apply({ kind: step.kind, amount: step.amount });
        else if (step.kind === "end" && open.length > 0) {
          const [hold = 0n] = open.splice(step.pick % open.length, 1);
          const charge = step.isUnknown ? 0n : step.charge;
          apply({ kind: "finish", hold, charge, isUnknown: step.isUnknown });
          settled.push(charge < hold ? charge : hold);
        } else if (step.kind === "refund" && settled.length > 0) {
          const [back = 0n] = settled.splice(step.pick % settled.length, 1);
          apply({ kind: "refund", amount: back });
        }
        assert.equal(total(ledger), 0n);
        assert.ok(ledger.available >= 0n && ledger.held >= 0n && ledger.revenue >= 0n);
        assert.equal(
          ledger.held,
          open.reduce((sum, hold) => sum + hold, 0n),
        );
        assert.equal(
          ledger.revenue,
          settled.reduce((sum, value) => sum + value, 0n),
        );
      }
    }),
    { numRuns: 1000 },
  );
});

test("a hold beyond the balance is refused and moves nothing", () => {
  const ledger = catalog(emptyLedger, linesOf(emptyLedger, { kind: "fund", amount: 5n }) ?? []);
  assert.equal(linesOf(ledger, { kind: "hold", amount: 6n }), null);
  assert.equal(linesOf(ledger, { kind: "hold", amount: 0n })?.length, 0);
});

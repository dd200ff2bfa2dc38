import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../../../foundation/ids.ts";
import { isCovered, type WorkerOffer } from "../job-needs.ts";
import { type KnownCandidate, passOverMsMax, placeJobs } from "./place-jobs.ts";

const offer = (classes: readonly string[] | null, models: readonly string[] = []): WorkerOffer => ({
  classes: classes === null ? null : new Set(classes),
  modelsLoaded: new Set(models),
});
const job = (classes: readonly string[], models: readonly string[] = [], passedSinceMs: number | null = null) => ({
  jobId: newId<"job">(),
  workspaceId: newId<"workspace">(),
  rank: 0,
  needsId: `${classes} ${models}`,
  needs: { classes, models },
  passedSinceMs,
});

test("a job goes to a worker that knows its classes and is passed over when none is there", () => {
  const asking = [
    { owner: "few", offer: offer(["A"]), slots: 2 },
    { owner: "all", offer: offer(["A", "B"]), slots: 1 },
  ];
  const [a, b, c] = [job(["A", "B"]), job(["B"]), job(["C"])];
  const placed = placeJobs({ candidates: [a, b, c], asking, busy: [], nowMs: 0 });
  assert.deepEqual(placed.claims, [{ candidate: a, owner: "all" }]);
  assert.deepEqual(placed.passedOver, [b, c]);
});

test("the worker that has the models loaded is preferred, and a busy one is waited for, but not for long", () => {
  const cold = { owner: "cold", offer: offer(null), slots: 5 };
  const warm = { owner: "warm", offer: offer(null, ["m.safetensors"]), slots: 1 };
  const wanted = job(["A"], ["m.safetensors"]);
  const chosen = placeJobs({ candidates: [wanted], asking: [cold, warm], busy: [], nowMs: 0 });
  assert.equal(chosen.claims[0]?.owner, "warm");
  const at = (nowMs: number, passedSinceMs: number | null) =>
    placeJobs({ candidates: [{ ...wanted, passedSinceMs }], asking: [cold], busy: [warm.offer], nowMs }).claims.length;
  assert.equal(at(0, null), 0);
  assert.equal(at(passOverMsMax - 1, 0), 0);
  assert.equal(at(passOverMsMax, 0), 1);
  const nobodyWarm = placeJobs({ candidates: [wanted], asking: [cold], busy: [offer(null)], nowMs: 0 });
  assert.equal(nobodyWarm.claims.length, 1, "nobody has it: nobody is waited for");
});

test("work that fits everybody spreads over the workers", () => {
  const asking = ["a", "b", "c"].map((owner) => ({ owner, offer: offer(null), slots: 4 }));
  const placed = placeJobs({ candidates: Array.from({ length: 6 }, () => job([])), asking, busy: [], nowMs: 0 });
  for (const { owner } of asking) assert.equal(placed.claims.filter((claim) => claim.owner === owner).length, 2);
});

test("nobody gets more than its slots or what it cannot run, and no job is lost or given twice", () => {
  const words = fc.subarray(["A", "B", "C"]);
  const models = fc.subarray(["x.pt", "y.pt"]);
  fc.assert(
    fc.property(
      fc.array(fc.record({ classes: fc.option(words), models, slots: fc.nat(3) }), { maxLength: 4 }),
      fc.array(fc.record({ classes: words, models, passed: fc.option(fc.nat(3_000)) }), { maxLength: 8 }),
      fc.array(fc.record({ classes: fc.option(words), models }), { maxLength: 3 }),
      (askers, jobs, busy) => {
        const asking = askers.map((one, owner) => ({ owner, offer: offer(one.classes, one.models), slots: one.slots }));
        const candidates: KnownCandidate[] = jobs.map((one) => job(one.classes, one.models, one.passed));
        const placed = placeJobs({
          candidates,
          asking,
          busy: busy.map((one) => offer(one.classes, one.models)),
          nowMs: 3_000,
        });
        const all = [...placed.claims.map(({ candidate }) => candidate), ...placed.passedOver, ...placed.untried];
        assert.deepEqual(all.map(({ jobId }) => jobId).sort(), candidates.map(({ jobId }) => jobId).sort());
        for (const { owner, offer: own, slots } of asking) {
          const given = placed.claims.filter((claim) => claim.owner === owner);
          assert.ok(given.length <= slots);
          for (const { candidate } of given) assert.ok(isCovered(own, candidate.needs));
        }
      },
    ),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import type { WorkerPort } from "../jobs/index.ts";
import { gatedPort } from "./gated-port.ts";

const asked = {
  workerId: newId<"worker">(),
  poolId: newId<"pool">(),
  slots: 1,
  waitMs: 5_000,
  signal: new AbortController().signal,
};

test("a worker that does not match or is drained is given nothing and asks again a second later; once it matches it claims", async () => {
  const clock = handClock();
  const warnings: unknown[] = [];
  let problems: readonly string[] = ["The engine is other."];
  let isDraining = false;
  let claims = 0;
  const claim: WorkerPort["claim"] = async () => {
    claims += 1;
    return [];
  };
  const never = () => assert.fail("only claims are asked for here");
  const port = gatedPort(
    {
      claim,
      resume: never,
      heartbeat: never,
      progress: never,
      preview: never,
      output: never,
      finish: never,
      giveBack: never,
      releasePart: never,
    },
    {
      clock,
      log: { warn: (...logged: unknown[]) => void warnings.push(logged) },
      problems: async () => problems,
      isDraining: async () => isDraining,
      bounds: () => assert.fail("no job was handed out"),
    },
  );
  const getNothing = async () => {
    const waiting = port.claim(asked);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
    assert.deepEqual(await waiting, []);
  };
  await getNothing();
  await getNothing();
  assert.equal(claims, 0);
  assert.equal(warnings.length, 1, "the same words are said once");
  problems = [];
  await port.claim(asked);
  assert.equal(claims, 1);
  isDraining = true;
  await getNothing();
  isDraining = false;
  await port.claim(asked);
  assert.deepEqual([claims, warnings.length], [2, 2]);
});

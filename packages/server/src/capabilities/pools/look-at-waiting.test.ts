import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../foundation/ids.ts";
import type { PoolEnvironment } from "./awaited-worker.ts";
import { waitingFindings } from "./look-at-waiting.ts";
import { sharedPool } from "./shared-pool.ts";

const now = new Date("2026-05-01T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const needing = (...classes: string[]) => ({ classes, models: [] });
const environments: readonly PoolEnvironment[] = [
  { classes: new Set(["SaveImage"]), isPresent: true, seenAt: now },
  { classes: new Set(["SaveImage", "TestSleep"]), isPresent: false, seenAt: ago(63) },
];

test("jobs that wait for a class that no worker has are a warning with the class, how many, and since when", () => {
  const waiting = [
    { poolId: sharedPool, count: 2, needs: needing("SaveImage", "TestSleep") },
    { poolId: sharedPool, count: 1, needs: needing("TestSleep") },
    { poolId: sharedPool, count: 9, needs: needing("SaveImage") },
  ];
  const findings = waitingFindings(waiting, () => environments, now);
  assert.deepEqual(
    findings.map(({ state, message }) => [state, message]),
    [["warning", "3 jobs wait for a worker that has TestSleep; one was last seen 63 min ago"]],
  );
});

test("a deployment is named, and so is a forgotten worker", () => {
  const poolId = newId<"pool">();
  const [finding] = waitingFindings([{ poolId, count: 1, needs: needing("A") }], () => [], now);
  assert.equal(finding?.message, `1 job waits for a worker of deployment ${poolId} that has A; none was seen recently`);
});

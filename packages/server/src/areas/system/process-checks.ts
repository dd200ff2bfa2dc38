// What a process needs before it should be given work.
import type { Blobs } from "../../capabilities/blobs/index.ts";
import type { LiveProviders } from "../../capabilities/providers/index.ts";
import { findRingDisagreement, type LiveKeyRing } from "../../capabilities/secrets/index.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { ReplicaReads } from "../../foundation/database/index.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { ReadinessCheck } from "./readiness.ts";

export interface CheckedProcess {
  readonly storage: Pick<Storage, "database" | "isAnswering" | "replica">;
  readonly bus: Bus;
  readonly blobs: Pick<Blobs, "freeSpaceProblem">;
  readonly keyRing: LiveKeyRing;
  readonly live: Pick<LiveProviders, "isLoaded">;
  readonly clock: Clock;
}

// Without the standby the primary answers everything, so this is only a remark.
function replicaCheck(replica: Pick<ReplicaReads, "problem">): ReadinessCheck {
  return {
    name: "replica",
    look: async () => {
      const problem = replica.problem();
      return problem === null ? null : { remark: `Lists are read from the primary: ${problem}` };
    },
  };
}

// A bus that was never reached is misconfigured. One that fails later only costs speed. That is no reason to send callers to
// another process, where the bus is down as well, so it is only a remark.
function busCheck(bus: Bus): ReadinessCheck {
  let wasReached = false;
  return {
    name: "bus",
    look: async () => {
      const problem = bus.problem();
      wasReached ||= problem === null;
      return wasReached && problem !== null ? { remark: problem } : problem;
    },
  };
}

export function processChecks({
  storage,
  bus,
  blobs,
  keyRing,
  live,
  clock,
}: CheckedProcess): readonly ReadinessCheck[] {
  return [
    {
      name: "database",
      look: async () => ((await storage.isAnswering()) ? null : "The database does not answer."),
    },
    ...(storage.replica === null ? [] : [replicaCheck(storage.replica)]),
    busCheck(bus),
    { name: "blob store", look: () => blobs.freeSpaceProblem() },
    {
      name: "key ring",
      look: () => findRingDisagreement({ database: storage.database, ring: keyRing, clock }),
    },
    {
      name: "release state",
      look: async () => (live.isLoaded() ? null : "The provider definitions are not loaded yet."),
    },
  ];
}

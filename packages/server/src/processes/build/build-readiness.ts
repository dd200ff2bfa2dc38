// The answer of /readyz, and of the probes of a process without callers.
import type { Readiness } from "@atelier/contract";
import { type ReadinessCheck, readiness } from "../../areas/system/index.ts";
import { findRingDisagreement } from "../../capabilities/secrets/index.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { ReplicaReads } from "../../foundation/database/index.ts";
import type { ServiceDeps, Services } from "./build-services.ts";

export function buildReadiness(deps: ServiceDeps, services: Services): () => Promise<Readiness> {
  return readiness({ checks: readinessChecks(deps, services), clock: deps.clock, leaving: deps.life.leaving });
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

function readinessChecks(deps: ServiceDeps, { models }: Pick<Services, "models">): readonly ReadinessCheck[] {
  const { storage, paying, capabilities, clock } = deps;
  return [
    {
      name: "database",
      look: async () => ((await storage.isAnswering()) ? null : "The database does not answer."),
    },
    ...(storage.replica === null ? [] : [replicaCheck(storage.replica)]),
    busCheck(paying.bus),
    { name: "blob store", look: () => paying.blobs.freeSpaceProblem() },
    {
      name: "key ring",
      look: () => findRingDisagreement({ database: storage.database, ring: capabilities.keyRing, clock }),
    },
    {
      name: "release state",
      look: async () => (models.live.isLoaded() ? null : "The provider definitions are not loaded yet."),
    },
  ];
}

// The proof every badge must pass before it is stored: the shape is checked here, and everything that runs foreign text
// is done in a child process that is killed if it takes too long or too much memory (decisions, section 2).

import { type Isolation, ownProcesses } from "@atelier/engine/isolation";
import { Fault } from "../../foundation/fault.ts";
import { ChildFailure, childEntry, childPool } from "../../foundation/threads/child-pool.ts";
import type { BadgeResult, Miss } from "./badge-result.ts";
import { type Badge, readBadge } from "./badge-shape.ts";
import type { Examination, ExamineTask } from "./examine-badge.ts";
import { type Finding, failure, isProven } from "./finding.ts";
import { labelOf } from "./label.ts";
import type { ExpressionContext, NodeDescription, NodeState } from "./probe-values.ts";

export interface Sample {
  readonly context: ExpressionContext;
  readonly price: BadgeResult | null;
  // What a client draws on the node. Null if it draws nothing.
  readonly label: string | null;
  readonly miss: Miss | null;
}

export interface Proof {
  // The badge as it would be stored. Null if the findings include an error.
  readonly badge: Badge | null;
  readonly findings: readonly Finding[];
  readonly samples: readonly Sample[];
}

export interface BadgeProof {
  // `states`: what the operator wants to see. `description`: what is known about the node.
  prove(badge: unknown, knowledge?: { states?: readonly NodeState[]; description?: NodeDescription }): Promise<Proof>;
  close(): Promise<void>;
}

export interface BadgeProofSettings {
  readonly creditsPerUsd: number;
  readonly memoryMegabytesMax?: number;
  readonly timeoutMs?: number;
  readonly isolation?: Isolation;
}

export function badgeProof(settings: BadgeProofSettings): BadgeProof {
  const { creditsPerUsd, memoryMegabytesMax = 128, timeoutMs = 10_000, isolation = ownProcesses } = settings;
  const entry = childEntry(import.meta.url, "badge-proof.child");
  const pool = childPool<ExamineTask, Examination>({
    entry,
    confine: () => isolation.confine("badges", { entry }),
    size: 1,
    memoryMegabytesMax,
    idleSecondsMax: 30,
    queueMax: 100,
  });
  const examine = async (task: ExamineTask): Promise<Examination> => {
    try {
      return await pool.run(task, { timeoutMs });
    } catch (thrown) {
      return { findings: [whyLost(thrown)], samples: [] };
    }
  };
  return {
    close: () => pool.close(),
    async prove(value, { states = [], description = {} } = {}) {
      const read = readBadge(value);
      if (!read.ok) return { badge: null, findings: read.findings, samples: [] };
      const { findings, samples } = await examine({ badge: read.badge, states, description });
      return {
        badge: isProven(findings) ? read.badge : null,
        findings,
        samples: samples.map((sample) => ({
          ...sample,
          label: sample.price ? labelOf(sample.price, creditsPerUsd) : null,
        })),
      };
    },
  };
}

function whyLost(thrown: unknown): Finding {
  if (!(thrown instanceof ChildFailure) || thrown.kind === "failed") throw thrown;
  switch (thrown.kind) {
    case "timed_out":
      return failure("too_slow", "Compiling or evaluating this badge took too long and was stopped.");
    case "out_of_memory":
    case "crashed":
      return failure("too_large", "Compiling or evaluating this badge needed too much memory and was stopped.");
    case "closed":
      throw new Fault("service_unavailable", "The server is stopping.", { retryAfterSeconds: 5, cause: thrown });
  }
}

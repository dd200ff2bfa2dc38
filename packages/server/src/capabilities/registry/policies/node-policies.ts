// Decides which node classes may run where (decisions, section 5): a banned class nowhere, a local-only class not on the
// service's machines. If several holders restrict a class, the strictest wins. There are few restricted classes, they are
// read at every submission and rarely change, so we keep them in memory. The process that makes a change sees it
// immediately, the others when the bus delivers it, or within seconds if the bus loses it.

import type { Background } from "../../../foundation/background.ts";
import type { Bus } from "../../../foundation/bus/bus.ts";
import { untilHeard } from "../../../foundation/bus/forgetting.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { listRestricted, putRestriction, type Restriction, removeRestriction } from "./node-policy-store.ts";
export type ClassPolicy = "NodePolicyActive" | Restriction;

// hosted: the service's machines, shared or dedicated; local: the caller's own.
export type NodeHosting = "hosted" | "local";

export interface RefusedClasses {
  refused(asked: { readonly classes: readonly string[] }): readonly string[];
}

export interface NodePolicies {
  // Call before the first request, so that no request passes before the list is known.
  load(): Promise<void>;
  at(hosting: NodeHosting): RefusedClasses;
  // Runs in the caller's transaction. `holder` names who sets the policy; it stays until the same holder changes it.
  set(tx: Queryable, request: { className: string; holder: string; policy: ClassPolicy }): Promise<void>;
  // Call after the commit. This process applies the change once it resolves.
  changed(): Promise<void>;
  // Picks up changes by other processes.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface NodePoliciesDeps {
  readonly database: Queryable;
  readonly bus: Pick<Bus, "publish" | "subscribe" | "reachesOthers">;
}

const topic = "node-policy";
// How long other processes take to read the policies again.
const rereadAfterMs = 100;
const name = "node policies: read them again";
const lookAgainMs = 5_000;

export function createNodePolicies(deps: NodePoliciesDeps): NodePolicies {
  let restricted: ReadonlyMap<string, Restriction> = new Map();
  let turn = 0;

  async function load(): Promise<void> {
    const mine = ++turn;
    const rows = await listRestricted(deps.database);
    // A later query may have returned first; its result is newer.
    if (mine >= turn) restricted = strictest(rows);
  }

  return {
    load,
    at: (hosting) => ({
      refused({ classes }) {
        if (restricted.size === 0) return [];
        return classes.filter((name) => isRefused(restricted.get(name), hosting));
      },
    }),
    set(tx, { className, holder, policy }) {
      if (policy === "NodePolicyActive") return removeRestriction(tx, { className, holder });
      return putRestriction(tx, { className, holder, policy });
    },
    async changed() {
      await load();
      deps.bus.publish(topic, null);
      await untilHeard(deps.bus, rereadAfterMs);
    },
    async run(background, signal) {
      const forget = deps.bus.subscribe(topic, () => background.wake(name));
      try {
        await background.run({ name, everyMs: lookAgainMs, begins: "after_pause", round: load }, signal);
      } finally {
        forget();
      }
    },
  };
}

function strictest(rows: readonly { className: string; policy: Restriction }[]): ReadonlyMap<string, Restriction> {
  const result = new Map<string, Restriction>();
  for (const { className, policy } of rows) {
    if (result.get(className) !== "NodePolicyBanned") result.set(className, policy);
  }
  return result;
}

function isRefused(policy: Restriction | undefined, hosting: NodeHosting): boolean {
  return policy === "NodePolicyBanned" || (policy === "NodePolicyLocalOnly" && hosting === "hosted");
}

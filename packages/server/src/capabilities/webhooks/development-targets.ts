// Loopback receivers that webhooks may reach, for developers on this machine. They can be opened at runtime, so that
// trying a receiver needs no restart. A server that others can reach has none: it neither opens nor reads them.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Audit } from "../audit/index.ts";
import { listTargets, replaceTargets } from "./target-store.ts";

export interface TargetList {
  readonly mayOpen: boolean;
  readonly configured: readonly string[];
  readonly opened: readonly string[];
}

export interface DevelopmentTargets {
  // What the guard checks, from memory.
  current(): readonly string[];
  read(): Promise<TargetList>;
  replace(targets: readonly string[], acting: Acting & { readonly workspaceId: WorkspaceId }): Promise<TargetList>;
  // Picks up targets that another process opened.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface DevelopmentTargetsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly configured: readonly string[];
  readonly isDevelopment: boolean;
}

const everyMs = 2_000;

export function createDevelopmentTargets(deps: DevelopmentTargetsDeps): DevelopmentTargets {
  const { database, clock, audit, configured, isDevelopment } = deps;
  let opened: readonly string[] = [];
  const refresh = async () => {
    opened = isDevelopment ? await listTargets(database) : [];
  };
  const list = (): TargetList => ({ mayOpen: isDevelopment, configured, opened });

  return {
    current: () => [...configured, ...opened],
    async read() {
      await refresh();
      return list();
    },
    async replace(targets, acting) {
      if (!isDevelopment)
        throw new Fault(
          "forbidden",
          "This is not a development server: it listens beyond loopback or has a public address. Its operator can allow a private network with ATELIER_EGRESS_ALLOW.",
        );
      const wanted = [...new Set(targets.map((target) => target.toLowerCase()))].sort();
      await database.transaction(async (tx) => {
        const before = await listTargets(tx);
        await replaceTargets(tx, wanted, clock.now());
        await audit.append(tx, {
          ...acting,
          action: "webhook_targets.replace",
          subject: { kind: "webhook_targets", id: "loopback" },
          before: { targets: before },
          after: { targets: wanted },
          shown: ["targets"],
        });
      });
      opened = wanted;
      return list();
    },
    async run(background, signal) {
      if (!isDevelopment) return;
      await background.run({ name: "webhooks: loopback targets", everyMs, round: refresh }, signal);
    },
  };
}

// For processes without a database to keep them.
export const noDevelopmentTargets: DevelopmentTargets = {
  current: () => [],
  read: async () => ({ mayOpen: false, configured: [], opened: [] }),
  replace: async () => {
    throw new Fault("forbidden", "Loopback targets cannot be allowed on this server.");
  },
  run: async () => undefined,
};

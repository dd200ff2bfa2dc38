// Deletes what workspaces no longer want to keep, and what the operator lets none keep.
import { createRetention, type Retention } from "../../capabilities/retention/index.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import { workspaceHoldings } from "../workspace-holdings.ts";
import type { Capabilities } from "./build-capabilities.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface KeepForDaysDeps extends ProcessDeps {
  readonly database: Storage["database"];
  readonly capabilities: Pick<Capabilities, "audit" | "identity">;
}

export function keepForDays({ config, life, clock, database, capabilities }: KeepForDaysDeps): Retention {
  const { audit, identity } = capabilities;
  const retention = createRetention({
    ...{ database, clock, audit, holdings: workspaceHoldings },
    bounds: { daysMin: config.retentionDaysMin, daysMax: config.retentionDaysMax || null },
    listWorkspaces: async (after, count) => (await identity.workspaces.list({ after, count })).map(({ id }) => id),
  });
  const round = (signal: AbortSignal) => retention.apply(signal);
  life.repeat({ name: "retention: delete what is over", role: "background", everyMs: 3_600_000, round });
  return retention;
}

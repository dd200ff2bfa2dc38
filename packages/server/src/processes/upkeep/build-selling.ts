// Selling credits, if the operator set a secret. Without one nothing of it runs.
import { deletedName } from "../../capabilities/identity/index.ts";
import { lockWorkspace } from "../../capabilities/identity/shared-sql.ts";
import { createSelling, type Selling } from "../../capabilities/selling/index.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { Capabilities } from "../build/build-capabilities.ts";
import type { ProcessDeps } from "../build/process-deps.ts";

export interface SellingBuildDeps extends ProcessDeps {
  readonly database: Storage["database"];
  readonly capabilities: Pick<Capabilities, "audit">;
}

export function buildSelling({ config, life, clock, log, database, capabilities }: SellingBuildDeps): Selling | null {
  const { paymentsSecret, paymentsSecretFormer, paymentsGraceDays } = config;
  if (paymentsSecret === null) return null;
  const selling = createSelling({
    ...{ database, clock, log, audit: capabilities.audit, graceDays: paymentsGraceDays },
    secrets: [paymentsSecret, ...(paymentsSecretFormer === null ? [] : [paymentsSecretFormer])],
    hasWorkspace: async (tx, id) => {
      const workspace = await lockWorkspace(tx, id);
      return workspace !== null && workspace.name !== deletedName;
    },
  });
  const round = (signal: AbortSignal) => selling.round(signal);
  life.repeat({ name: "payments: apply, expire and forget", role: "background", everyMs: 30_000, round });
  return selling;
}

// Paying workspaces, each with its own key and with limits high enough not to matter.
import { createAudit } from "../packages/server/src/capabilities/audit/index.ts";
import { fundWallet } from "../packages/server/src/capabilities/calls/shared-sql.ts";
import { generateKey } from "../packages/server/src/capabilities/identity/api-key.ts";
import { newKey, storeKey } from "../packages/server/src/capabilities/identity/keys.ts";
import { scopes } from "../packages/server/src/capabilities/identity/principal.ts";
import { putOverride } from "../packages/server/src/capabilities/limits/limit-store.ts";
import type { Database, Queryable } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import { newId } from "../packages/server/src/foundation/ids.ts";
import { addWorkspaces } from "./calls-store.ts";

const limits = {
  router_and_partner_requests_per_minute: 1_000_000_000,
  workflow_and_registry_requests_per_minute: 1_000_000_000,
  concurrency: 1_000,
  jobs: 1_000_000_000,
  streams: 100_000,
} as const;

// Returns their keys.
export async function addPayingWorkspaces(database: Database, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId<"workspace">());
  await addWorkspaces(database, ids);
  const audit = createAudit({ database });
  const by = { actor: { kind: "system", id: null } } as const;
  const keys: string[] = [];
  for (const workspaceId of ids) {
    await fundWallet(database, { transactionId: newId(), workspaceId, amount: 1_000_000_000_000n });
    for (const [name, value] of Object.entries(limits))
      await putOverride(database, { workspaceId, name: name as keyof typeof limits, value });
    const secret = generateKey();
    const about = { workspaceId, name: "bench", role: "member", scopes, expiresAt: null, createdBy: null } as const;
    const key = newKey(about, secret, new Date());
    await database.transaction((tx) => storeKey(tx, audit, { key, secret }, by));
    keys.push(secret);
  }
  return keys;
}

// The smallest change whose commit waits for the disk.
export async function writeOne(tx: Queryable): Promise<void> {
  await tx.execute(sql`update workspaces set name = name where id = (select id from workspaces limit 1)`);
}

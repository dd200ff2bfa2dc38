import type { Queryable } from "../../foundation/database/index.ts";
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { isLimitName, type LimitName } from "./limit-names.ts";

export async function listOverrides(db: Queryable, workspaceId: WorkspaceId): Promise<Map<LimitName, number>> {
  const rows = await db.query<OverrideRow>(sql`
    select name, value from limit_overrides where workspace_id = ${workspaceId} order by name`);
  return toOverrides(rows);
}

// Locks the row until the transaction ends, so that `before` in the audit is what was really replaced.
export async function lockOverride(
  tx: Queryable,
  override: { workspaceId: WorkspaceId; name: LimitName },
): Promise<number | null> {
  const rows = await tx.query<OverrideRow>(sql`
    select name, value from limit_overrides
    where workspace_id = ${override.workspaceId} and name = ${override.name} for update`);
  return toOverrides(rows).get(override.name) ?? null;
}

export async function putOverride(
  db: Queryable,
  override: { workspaceId: WorkspaceId; name: LimitName; value: number },
): Promise<void> {
  await db.execute(sql`
    insert into limit_overrides (workspace_id, name, value)
    values (${override.workspaceId}, ${override.name}, ${override.value})
    on conflict (workspace_id, name) do update set value = excluded.value, changed_at = now()`);
}

export async function removeOverride(
  db: Queryable,
  override: { workspaceId: WorkspaceId; name: LimitName },
): Promise<void> {
  await db.execute(sql`
    delete from limit_overrides where workspace_id = ${override.workspaceId} and name = ${override.name}`);
}

interface OverrideRow {
  readonly name: string;
  // A bigint arrives as text.
  readonly value: string;
}

// Names that only a newer version knows are ignored.
function toOverrides(rows: readonly OverrideRow[]): Map<LimitName, number> {
  const overrides = new Map<LimitName, number>();
  for (const { name, value } of rows) if (isLimitName(name)) overrides.set(name, Number(value));
  return overrides;
}

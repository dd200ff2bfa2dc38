// What owners decided. Every statement about one workspace names it; only the round looks at all of them.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { KeepDays } from "./keep-days.ts";

export interface RetentionRule {
  readonly workspaceId: WorkspaceId;
  readonly days: KeepDays;
  readonly changedAt: Date;
  readonly appliesAt: Date;
}

export async function findRule(
  db: Queryable,
  workspaceId: WorkspaceId,
  options: { readonly isLocked: boolean } = { isLocked: false },
): Promise<RetentionRule | null> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from retention_rules where workspace_id = ${workspaceId}
    ${options.isLocked ? sql`for update` : sql``}`);
  return row ? toRule(row) : null;
}

export async function putRule(
  tx: Queryable,
  { workspaceId, days, changedAt, appliesAt }: RetentionRule,
): Promise<void> {
  await tx.execute(sql`
    insert into retention_rules (${columns})
    values (${workspaceId}, ${days.outputs}, ${days.uploads}, ${days.history}, ${changedAt}, ${appliesAt})
    on conflict (workspace_id) do update set outputs_days = excluded.outputs_days, uploads_days = excluded.uploads_days,
      history_days = excluded.history_days, changed_at = excluded.changed_at, applies_at = excluded.applies_at`);
}

export async function listRules(db: Queryable, after: WorkspaceId | null, count: number): Promise<RetentionRule[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from retention_rules where ${after}::uuid is null or workspace_id > ${after}
    order by workspace_id limit ${count}`);
  return rows.map(toRule);
}

const columns = sql`workspace_id, outputs_days, uploads_days, history_days, changed_at, applies_at`;

interface PlainRule extends Omit<RetentionRule, "days"> {
  readonly outputsDays: number | null;
  readonly uploadsDays: number | null;
  readonly historyDays: number | null;
}
type Row = RowOf<PlainRule>;

function toRule(row: Row): RetentionRule {
  const { outputsDays: outputs, uploadsDays: uploads, historyDays: history, ...rest } = fromRow<PlainRule>(row);
  return { ...rest, days: { outputs, uploads, history } };
}

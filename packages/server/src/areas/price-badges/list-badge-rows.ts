// One page of stored badges, sorted by node id and version.
import type { Cursors } from "../../foundation/cursor.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseId } from "../../foundation/ids.ts";
import type { BadgeRow, BadgeRowId } from "./badge-row.ts";
import { type BadgeFilter, findBadgeRow, listBadgeRowsBy } from "./badge-store.ts";

export interface ListBadgeRows extends Pick<BadgeFilter, "nodeId" | "platform" | "ended"> {
  readonly limit: number;
  readonly cursor: string | null;
}

export interface BadgeRowsPage {
  readonly rows: readonly BadgeRow[];
  readonly nextCursor: string | null;
}

export interface ListBadgeRowsDeps {
  readonly database: Queryable;
  readonly cursors: Cursors;
}

export async function listBadgeRows(deps: ListBadgeRowsDeps, asked: ListBadgeRows): Promise<BadgeRowsPage> {
  // A cursor belongs to the filters it was issued for.
  const purpose = JSON.stringify(["badge rows", asked.nodeId, asked.platform, asked.ended]);
  const after = asked.cursor === null ? null : await readPosition(deps, purpose, asked.cursor);
  const found = await listBadgeRowsBy(deps.database, { ...asked, after, count: asked.limit + 1 });
  const rows = found.slice(0, asked.limit);
  const last = rows.at(-1);
  const hasMore = found.length > asked.limit && last !== undefined;
  return { rows, nextCursor: hasMore ? deps.cursors.issue(purpose, [last.id]) : null };
}

async function readPosition(deps: ListBadgeRowsDeps, purpose: string, cursor: string): Promise<BadgeRowId> {
  const [text = ""] = deps.cursors.read(purpose, cursor) ?? [];
  const id = parseId<"badge-row">(text);
  // The cursor's position is a row, so it becomes invalid with that row.
  const row = id && (await findBadgeRow(deps.database, id));
  if (!row) throw new Fault("invalid_request", "This cursor is invalid or has expired. Start again without a cursor.");
  return row.id;
}

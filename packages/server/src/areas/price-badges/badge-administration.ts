// What operators do with badges. Only this file passes the database on.
import type { Acting } from "./badge-audit.ts";
import type { BadgeRow, BadgeRowId } from "./badge-row.ts";
import { createBadgeRow } from "./create-badge-row.ts";
import { deleteBadgeRow } from "./delete-badge-row.ts";
import { endBadgeRow } from "./end-badge-row.ts";
import { type BadgeRowsPage, type ListBadgeRows, type ListBadgeRowsDeps, listBadgeRows } from "./list-badge-rows.ts";
import { replaceBadgeRow } from "./replace-badge-row.ts";
import { type TriedBadge, tryBadge } from "./try-badge.ts";
import type { BadgeWriteDeps } from "./write-badge-row.ts";

export interface BadgeAdministrationDeps extends Omit<ListBadgeRowsDeps, "database">, BadgeWriteDeps {}

export interface BadgeAdministration {
  list(asked: ListBadgeRows): Promise<BadgeRowsPage>;
  create(body: unknown, acting: Acting): Promise<BadgeRow>;
  replace(id: BadgeRowId | null, body: unknown, acting: Acting): Promise<BadgeRow>;
  end(id: BadgeRowId | null, body: unknown, acting: Acting): Promise<BadgeRow>;
  delete(id: BadgeRowId | null, acting: Acting): Promise<void>;
  try(body: unknown): Promise<TriedBadge>;
}

export function badgeAdministration(deps: BadgeAdministrationDeps): BadgeAdministration {
  return {
    list: (asked) => listBadgeRows(deps, asked),
    create: (body, acting) => createBadgeRow(deps, body, acting),
    replace: (id, body, acting) => replaceBadgeRow(deps, id, body, acting),
    end: (id, body, acting) => endBadgeRow(deps, id, body, acting),
    delete: (id, acting) => deleteBadgeRow(deps, id, acting),
    try: (body) => tryBadge(deps, body),
  };
}

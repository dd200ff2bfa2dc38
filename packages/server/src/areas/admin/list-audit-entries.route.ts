import { operations } from "@atelier/contract";
import type { Audit } from "../../capabilities/audit/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import type { Route } from "../../foundation/http/area.ts";
import { issueAuditCursor, readAuditCursor, readAuditQuery } from "./audit-query.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentAuditEntry } from "./present.ts";

export interface ListAuditEntriesDeps {
  readonly audit: Audit;
  readonly cursors: Cursors;
}

export const listAuditEntriesRoute = ({ audit, cursors }: ListAuditEntriesDeps): Route<AdminCaller> => ({
  operation: operations.listAuditEntries,
  async handle(incoming) {
    const { filter, limit, cursor } = readAuditQuery(incoming.query);
    const before = cursor === undefined ? null : readAuditCursor(cursors, filter, cursor);
    const { entries, next } = await audit.list({ filter, before, limit });
    return freshAnswer(200, {
      data: entries.map(presentAuditEntry),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: issueAuditCursor(cursors, filter, next) }),
      limit,
    });
  },
});

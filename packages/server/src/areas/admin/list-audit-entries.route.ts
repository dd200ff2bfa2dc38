import { operations } from "@atelier/contract";
import type { Audit } from "../../capabilities/audit/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { pageBody } from "../../foundation/http/page-query.ts";
import { issueAuditCursor, readAuditCursor, readAuditQuery } from "./audit-query.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentAuditEntry } from "./present.ts";

export interface ListAuditEntriesDeps {
  readonly audit: Audit;
  readonly cursors: Cursors;
}

export function listAuditEntriesRoute({ audit, cursors }: ListAuditEntriesDeps): Route<AdminCaller> {
  return route(operations.listAuditEntries, async (incoming) => {
    const { filter, limit, cursor } = readAuditQuery(incoming.query);
    const before = cursor === undefined ? null : readAuditCursor(cursors, filter, cursor);
    const { entries, next } = await audit.list({ filter, before, limit });
    const nextCursor = next && issueAuditCursor(cursors, filter, next);
    return freshAnswer(200, pageBody(entries.map(presentAuditEntry), nextCursor, limit));
  });
}

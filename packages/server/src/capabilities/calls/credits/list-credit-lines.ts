// One page of a wallet's lines, or all lines of one transaction. Owners and operators get the same list.
import type { Cursors } from "../../../foundation/cursor.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { isUuid, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Credits } from "./credits.ts";
import { issueCreditCursor, readCreditCursor } from "./credits-cursor.ts";
import { presentCreditLine } from "./present-credits.ts";

export async function listCreditLines(
  { credits, cursors }: { readonly credits: Credits; readonly cursors: Cursors },
  workspaceId: WorkspaceId,
  query: URLSearchParams,
) {
  const reader = new QueryReader(query);
  const transactionId = reader.read("transaction_id", (text) => (isUuid(text) ? text : null), "a UUID");
  const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
  reader.requireNoProblem();
  if (transactionId !== undefined) {
    const lines = await credits.linesOf({ workspaceId, transactionId });
    return pageBody(lines.map(presentCreditLine), null, limit);
  }
  const before = cursor === undefined ? null : readCreditCursor(cursors, workspaceId, cursor);
  if (cursor !== undefined && before === null) throw refuseCursor();
  const { lines, next } = await credits.lines({ workspaceId, before, limit });
  return pageBody(lines.map(presentCreditLine), next && issueCreditCursor(cursors, workspaceId, next), limit);
}

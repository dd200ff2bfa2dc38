// The cursor for pages of the journal, for accounts and operators. Bound to the workspace.
import type { Cursors } from "../../../foundation/cursor.ts";
import { isUuid, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CreditPosition } from "./credits-store.ts";

export function issueCreditCursor(cursors: Cursors, workspaceId: WorkspaceId, next: CreditPosition): string {
  return cursors.issue(purposeOf(workspaceId), [next.at, next.transactionId, next.kind]);
}

// Null if we did not issue it for this workspace.
export function readCreditCursor(cursors: Cursors, workspaceId: WorkspaceId, text: string): CreditPosition | null {
  const [at, transactionId, kind] = cursors.read(purposeOf(workspaceId), text) ?? [];
  if (at === undefined || kind === undefined || transactionId === undefined || !isUuid(transactionId)) return null;
  return { at, transactionId, kind };
}

const purposeOf = (workspaceId: WorkspaceId) => `credit lines ${workspaceId}`;

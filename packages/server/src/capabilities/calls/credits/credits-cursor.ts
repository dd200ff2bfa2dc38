// Where a page of the journal ended, as the account and the operators hand it out. Bound to the workspace.
import type { Cursors } from "../../../foundation/cursor.ts";
import { isUuid, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CreditPosition } from "./credits-store.ts";

export function issueCreditCursor(cursors: Cursors, workspaceId: WorkspaceId, next: CreditPosition): string {
  return cursors.issue(purposeOf(workspaceId), [next.at, next.transactionId, next.kind]);
}

// Null: not one of ours for this workspace.
export function readCreditCursor(cursors: Cursors, workspaceId: WorkspaceId, text: string): CreditPosition | null {
  const [at, transactionId, kind] = cursors.read(purposeOf(workspaceId), text) ?? [];
  if (at === undefined || kind === undefined || transactionId === undefined || !isUuid(transactionId)) return null;
  return { at, transactionId, kind };
}

const purposeOf = (workspaceId: WorkspaceId) => `credit lines ${workspaceId}`;

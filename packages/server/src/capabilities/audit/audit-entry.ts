// One line of the audit: who did what to what, and how it looked before and after (decisions, section 7).
import type { Actor, ChangeEntry } from "../../foundation/database/acting.ts";
import type { Id, RequestId, WorkspaceId } from "../../foundation/ids.ts";

export type AuditEntryId = Id<"audit-entry">;

export type AuditActor = Actor;
export type ActorKind = Actor["kind"];
export type AuditSubject = ChangeEntry["subject"];

// What a caller appends. `before` and `after` pass through redact.ts: numbers, booleans, ids, timestamps and plain words
// are kept, other text only under a field name known to be harmless or named in `shown`.
export interface NewAuditEntry extends Omit<ChangeEntry, "requestId"> {
  readonly requestId?: RequestId | null;
  readonly shown?: readonly string[];
}

export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly at: Date;
  readonly actor: { readonly kind: ActorKind; readonly id: string | null; readonly name: string | null };
  readonly action: string;
  readonly subject: AuditSubject;
  readonly workspaceId: WorkspaceId | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly requestId: string | null;
}

// Where a page ended. The list is newest first, so the next page is what came before it.
export interface AuditPosition {
  readonly at: Date;
  readonly id: AuditEntryId;
}

export interface AuditFilter {
  readonly workspaceId?: WorkspaceId | undefined;
  readonly actorKind?: ActorKind | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly requestId?: string | undefined;
  // Inclusive.
  readonly since?: Date | undefined;
  // Exclusive.
  readonly until?: Date | undefined;
}

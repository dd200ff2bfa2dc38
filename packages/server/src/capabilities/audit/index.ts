export { type Audit, type AuditOptions, type AuditPage, createAudit } from "./audit.ts";
export type {
  ActorKind,
  AuditActor,
  AuditEntry,
  AuditEntryId,
  AuditFilter,
  AuditPosition,
  AuditSubject,
  NewAuditEntry,
} from "./audit-entry.ts";

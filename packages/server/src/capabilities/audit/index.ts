export { type Audit, type AuditOptions, type AuditPage, createAudit } from "./audit.ts";
export {
  type ActorKind,
  type AuditActor,
  type AuditEntry,
  type AuditEntryId,
  type AuditFilter,
  type AuditPosition,
  type AuditSubject,
  actorKinds,
  type NewAuditEntry,
} from "./audit-entry.ts";

export { type Audit, createAudit } from "./audit.ts";
export type { ActorKind, AuditActor, AuditEntry, AuditFilter, AuditPosition, NewAuditEntry } from "./audit-entry.ts";

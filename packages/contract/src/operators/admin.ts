// The audit of every admin and account action, as operators read it.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const AuditEntry = entity("AuditEntry", "One entry of the append-only audit log.", {
  id: Uuid,
  at: Timestamp,
  actor: Type.Object(
    {
      kind: wordOf(["person", "api_key", "service_account", "admin_token", "system"]),
      id: Type.String({ description: "The actor's id or name." }),
      name: Type.Optional(Type.String({ description: "The actor's display name." })),
    },
    { description: "The actor." },
  ),
  action: Type.String({ minLength: 1, description: "The action, as thing.verb." }),
  subject: Type.Object(
    { kind: Type.String({ minLength: 1 }), id: Type.String({ minLength: 1 }) },
    { description: "The target." },
  ),
  workspace_id: nullable(Uuid, "The affected workspace, if any."),
  before: Type.Unknown({ description: "The state before; null if it did not exist. Never contains secrets." }),
  after: Type.Unknown({ description: "The state after; null if it was deleted." }),
  request_id: nullable(Uuid, "The request that performed the action."),
});
export type AuditEntry = Static<typeof AuditEntry>;

// The audit of every admin and account action, as operators read it.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const AuditEntry = entity("AuditEntry", "One line of the append-only audit.", {
  id: Uuid,
  at: Timestamp,
  actor: Type.Object(
    {
      kind: wordOf(["person", "api_key", "admin_token", "system"]),
      id: Type.String({ description: "Who, by id or by name." }),
      name: Type.Optional(Type.String({ description: "Who, for people." })),
    },
    { description: "Who did it." },
  ),
  action: Type.String({ minLength: 1, description: "What was done, as thing.verb." }),
  subject: Type.Object(
    { kind: Type.String({ minLength: 1 }), id: Type.String({ minLength: 1 }) },
    { description: "What it was done to." },
  ),
  workspace_id: nullable(Uuid, "The workspace it concerns, if one."),
  before: Type.Unknown({ description: "How it was; null when it did not exist. Secrets never stand here." }),
  after: Type.Unknown({ description: "How it is now; null when it is gone." }),
  request_id: nullable(Uuid, "The request that did it."),
});
export type AuditEntry = Static<typeof AuditEntry>;

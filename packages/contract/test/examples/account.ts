import { type Example, time, uuid } from "./example.ts";

const key = {
  id: uuid,
  name: "ci",
  hint: "service-0198",
  scopes: [],
  created_at: time,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  daily_credits_max: "100.5",
};

export const accountExamples: Record<string, Example> = {
  GenericError: {
    good: { error: "invalid_request", message: "platform is unknown", details: [{ field: "platform" }] },
    broken: { error: "", message: undefined },
  },
  WorkspaceRole: { good: "owner", broken: { "": "admin" } },
  Workspace: {
    good: { id: uuid, name: "Studio", credits: { available: "10000", held: "0.000001" }, created_at: time },
    broken: { name: "", "credits.available": 10_000, "credits.held": "1e3" },
  },
  WorkspaceMember: {
    good: { id: uuid, email: "ada@example.org", name: null, role: "member", joined_at: time },
    broken: { role: "guest", name: undefined },
  },
  ApiKey: { good: key, broken: { hint: undefined, revoked_at: undefined, daily_credits_max: "1.0000001" } },
  CreatedApiKey: { good: { ...key, secret: "service-0198-secret" }, broken: { secret: "sk-1" } },
  AuditEntry: {
    good: {
      id: uuid,
      at: time,
      actor: { kind: "admin_token", id: "bootstrap" },
      action: "badge.create",
      subject: { kind: "badge_row", id: uuid },
      workspace_id: null,
      before: null,
      after: { node_id: "RelightImage" },
      request_id: uuid,
    },
    broken: { "actor.kind": "robot", action: "", subject: null, request_id: "7", before: undefined },
  },
  LimitOverride: {
    good: { workspace_id: uuid, limit: "concurrencyPerWorkspace", value: 200, updated_at: time },
    broken: { value: -1, limit: "", workspace_id: undefined },
  },
  Health: { good: { status: "ok" }, broken: { status: "fine" } },
  Readiness: {
    good: { status: "not_ready", checks: { database: { status: "failing", message: "cannot connect" } } },
    broken: { status: "ok", "checks.database": "failing" },
  },
  WorkflowHealth: { good: { status: "healthy" }, broken: { status: "ok" } },
};

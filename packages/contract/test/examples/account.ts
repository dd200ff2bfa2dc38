import { type Example, time, uuid } from "./example.ts";

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
  Health: { good: { status: "ok" }, broken: { status: "fine", proof: 7 } },
  Index: {
    good: {
      name: "Atelier",
      version: "0.1.0",
      urls: {
        openapi: "http://a/openapi.json",
        docs: "http://a/docs",
        llms: "http://a/llms.txt",
        ready: "http://a/readyz",
      },
    },
    broken: { name: 1, version: null, "urls.docs": 7 },
  },
  ConsoleConfig: {
    good: {
      version: "0.1.0",
      surface: "cloud",
      auth: "session",
      base_url: "http://a",
      content_url: "http://b",
      credits_per_usd: 211,
      sells_credits: true,
      editor_url: "/editor",
      sign_in: { links: true, oidc: { name: "Example", url: "/sign-in/oidc" } },
    },
    broken: { version: 1, surface: "moon", auth: "key", base_url: null, credits_per_usd: 0, sign_in: "links" },
  },
  Readiness: {
    good: { status: "not_ready", checks: { database: { status: "failing", message: "cannot connect" } } },
    broken: { status: "ok", "checks.database": "failing" },
  },
  WorkflowHealth: { good: { status: "healthy" }, broken: { status: "ok" } },
};

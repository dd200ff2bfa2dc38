// Stored records as operators see them on the wire.
import type * as wire from "@atelier/contract";
import type { AuditEntry } from "../../capabilities/audit/index.ts";
import type { KnownPerson, Workspace } from "../../capabilities/identity/index.ts";
import { limitTable, type WorkspaceLimit } from "../../capabilities/limits/index.ts";
import { type AdminToken, environmentName } from "../../capabilities/tokens/index.ts";
import { actorKindOnWire } from "./audit-query.ts";

export function presentToken(token: AdminToken): wire.AdminToken {
  return {
    id: token.id,
    name: token.name,
    created_at: token.createdAt.toISOString(),
    expires_at: momentOrNull(token.expiresAt),
    last_used_at: momentOrNull(token.lastUsedAt),
    revoked_at: momentOrNull(token.revokedAt),
  };
}

export function presentEnvironmentToken(use: { lastUsedAt: Date | null }): wire.AdminToken {
  return {
    id: environmentName,
    name: environmentName,
    created_at: null,
    expires_at: null,
    last_used_at: momentOrNull(use.lastUsedAt),
    revoked_at: null,
  };
}

export function presentPerson({ id, name, email, role, createdAt }: KnownPerson): wire.AdminPerson {
  return { id, name, email, is_operator: role === "operator", role, created_at: createdAt.toISOString() };
}

export function presentAuditEntry(entry: AuditEntry): wire.AuditEntry {
  const { actor } = entry;
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: {
      kind: actorKindOnWire[actor.kind],
      id: actor.id ?? actor.name ?? actor.kind,
      ...(actor.name === null ? {} : { name: actor.name }),
    },
    action: entry.action,
    subject: entry.subject,
    workspace_id: entry.workspaceId,
    before: entry.before,
    after: entry.after,
    request_id: entry.requestId,
  };
}

export function presentWorkspace(workspace: Workspace): wire.AdminWorkspace {
  return { id: workspace.id, name: workspace.name, created_at: workspace.createdAt.toISOString() };
}

export function presentLimit(limit: WorkspaceLimit): wire.WorkspaceLimit {
  const { kind, about } = limitTable[limit.name];
  return { ...limit, kind, description: about };
}

function momentOrNull(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString();
}

// Stored records in their wire format. Secrets and hashes never pass through here.
import type {
  AccountKey,
  AccountMember,
  AccountPerson,
  AccountSession,
  Workspace as WireWorkspace,
} from "@atelier/contract";
import type {
  ApiKey,
  ListedSession,
  Member,
  Person,
  Role,
  SessionId,
  Workspace,
} from "../../capabilities/identity/index.ts";

export function presentKey(key: ApiKey): AccountKey {
  return {
    id: key.id,
    name: key.name,
    hint: key.prefix,
    scopes: [...key.scopes],
    role: key.role,
    created_by: key.createdBy,
    service_account: key.serviceAccount,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function presentPerson(person: Person): AccountPerson {
  return { id: person.id, name: person.name, email: person.email };
}

export function presentMember(member: Member): AccountMember {
  const { person, role, joinedAt, hasSignedIn } = member;
  return { ...presentPerson(person), role, joined_at: joinedAt.toISOString(), has_signed_in: hasSignedIn };
}

export function presentWorkspace(workspace: Workspace, role: Role): WireWorkspace {
  return { id: workspace.id, name: workspace.name, role, created_at: workspace.createdAt.toISOString() };
}

export function presentSession(session: ListedSession, current: SessionId | null): AccountSession {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    user_agent: session.userAgent,
    address: session.address,
    signed_in_by: session.signedInBy,
    is_current: session.id === current,
  };
}

// From a verified token to a caller. Our own issuer's tokens name a person, a workspace and a session: the person must be
// a member there now, and the session must not have ended. An external issuer is trusted about person and workspace: on
// first sight the person becomes a member of the named workspace. Whether that may also create the workspace is the
// operator's setting; by default it must exist. A member whom an owner removed here stays out, no matter what the issuer
// says.
import type { Queryable } from "../../../foundation/database/database.ts";
import { newId, type PersonId, parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { isOneAddress, readEmail, readName } from "../names.ts";
import {
  findRole,
  findVouchedPerson,
  insertPerson,
  insertVouchedMember,
  type Vouched,
} from "../people/member-store.ts";
import type { WorkspaceCreated } from "../people/workspaces.ts";
import { type IdentityPrincipal, identityPrincipal, type Role } from "../principal.ts";
import { findNamedWorkspace, insertWorkspace } from "../workspace-store.ts";
import { findRoleInSession } from "./session-store.ts";
import { liveAt } from "./sign-in.ts";
import type { VerifiedToken } from "./verify-jwt.ts";

// "must_exist": a token that names an unknown workspace is refused. "create": the workspace is created, and the person
// who brought it owns it.
export type UnknownWorkspace = "must_exist" | "create";

export interface AdmitIdentityDeps extends ChangeDeps {
  readonly workspaceCreated: WorkspaceCreated;
  readonly unknownWorkspace: UnknownWorkspace;
}

const bySystem: Acting = { actor: { kind: "system", id: null, name: "identity issuer" } };

export async function admitIdentity(deps: AdmitIdentityDeps, token: VerifiedToken): Promise<IdentityPrincipal | null> {
  return token.issuer.kind === "embedded" ? admitOwn(deps, token) : admitExternal(deps, token);
}

async function admitOwn({ db, clock }: ChangeDeps, token: VerifiedToken): Promise<IdentityPrincipal | null> {
  const personId = parseId<"person">(token.subject);
  const workspaceId = parseId<"workspace">(token.workspace);
  const sessionId = parseId<"session">(token.session ?? "");
  if (personId === null || workspaceId === null || sessionId === null) return null;
  const holder = { workspaceId, personId, sessionId };
  const found = await findRoleInSession(db, holder, liveAt(clock.now()));
  return found && identityPrincipal({ ...holder, signedInAt: found.signedInAt }, found.role);
}

async function admitExternal(deps: AdmitIdentityDeps, token: VerifiedToken): Promise<IdentityPrincipal | null> {
  // An invalid address means a forger or a broken issuer.
  if (token.email !== null && !isOneAddress(token.email)) return null;
  const vouched = { issuer: token.issuer.name(), subject: token.subject };
  const named = { issuer: vouched.issuer, externalId: token.workspace };
  const workspaceId = await findNamedWorkspace(deps.db, named);
  const personId = await findVouchedPerson(deps.db, vouched);
  const role = workspaceId && personId ? await findRole(deps.db, workspaceId, personId) : null;
  if (workspaceId !== null && personId !== null && role !== null) return principalOf(workspaceId, personId, role);
  if (workspaceId === null && deps.unknownWorkspace === "must_exist") return null;
  return deps.db.transaction((tx) => admitFirstSight(tx, deps, token, vouched));
}

// Safe to run concurrently: the second insert finds what the first one made.
async function admitFirstSight(tx: Queryable, deps: AdmitIdentityDeps, token: VerifiedToken, vouched: Vouched) {
  const now = deps.clock.now();
  const person = { id: newId<"person">(now.getTime()), ...describe(token), createdAt: now };
  const isNewPerson = await insertPerson(tx, person, vouched);
  const personId = isNewPerson ? person.id : await findVouchedPerson(tx, vouched);
  const { workspaceId, isNew } = await findOrCreateWorkspace(tx, deps, token);
  if (personId === null || workspaceId === null) return null;
  if (isNewPerson) {
    const subject = { kind: "person", id: personId };
    await deps.audit.append(tx, { ...bySystem, action: "person.create", subject, after: { issuer: vouched.issuer } });
  }
  const role: Role = isNew ? "owner" : "member";
  if (await insertVouchedMember(tx, { workspaceId, personId, role, now })) {
    const subject = { kind: "person", id: personId };
    await deps.audit.append(tx, { ...bySystem, action: "member.add", subject, workspaceId, after: { role } });
  }
  return principalOf(workspaceId, personId, await findRole(tx, workspaceId, personId));
}

async function findOrCreateWorkspace(
  tx: Queryable,
  deps: AdmitIdentityDeps,
  token: VerifiedToken,
): Promise<{ workspaceId: WorkspaceId | null; isNew: boolean }> {
  const named = { issuer: token.issuer.name(), externalId: token.workspace };
  const found = await findNamedWorkspace(tx, named);
  if (found !== null || deps.unknownWorkspace === "must_exist") return { workspaceId: found, isNew: false };
  const now = deps.clock.now();
  const workspace = {
    id: newId<"workspace">(now.getTime()),
    name: readName(token.workspace.slice(0, 100)) ?? "Workspace",
    createdAt: now,
  };
  if (!(await insertWorkspace(tx, workspace, named))) {
    return { workspaceId: await findNamedWorkspace(tx, named), isNew: false };
  }
  await deps.workspaceCreated(tx, workspace.id);
  await deps.audit.append(tx, {
    ...bySystem,
    action: "workspace.create",
    subject: { kind: "workspace", id: workspace.id },
    workspaceId: workspace.id,
    after: { name: workspace.name, issuer: named.issuer },
  });
  return { workspaceId: workspace.id, isNew: true };
}

function describe(token: VerifiedToken): { name: string; email: string | null } {
  const email = token.email === null ? null : readEmail(token.email);
  return { name: readName(token.name ?? "") ?? readName(email ?? "") ?? "Somebody", email };
}

function principalOf(workspaceId: WorkspaceId, personId: PersonId, role: Role | null): IdentityPrincipal | null {
  return role === null ? null : identityPrincipal({ workspaceId, personId, sessionId: null, signedInAt: null }, role);
}

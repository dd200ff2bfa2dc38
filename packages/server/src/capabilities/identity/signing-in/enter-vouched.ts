// Signs in a person whom an OpenID Connect issuer vouches for, identified by the issuer's subject and never by e-mail
// address. The first time they become a person here and join one workspace; after that the workspaces' owners decide, and
// a removed member stays out.
import type { Queryable } from "../../../foundation/database/database.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type PersonId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { deletedName } from "../deleted-name.ts";
import { readEmail, readName } from "../names.ts";
import { findVouchedPerson, insertPerson, insertVouchedMember, type Vouched } from "../people/member-store.ts";
import type { Role } from "../principal.ts";
import { findWorkspace, listWorkspaces } from "../workspace-store.ts";
import { applyGroupRoles, decidesMembership, type GroupRoles } from "./group-roles.ts";

export interface VouchedEntry {
  readonly vouched: Vouched;
  readonly name: string | null;
  readonly email: string | null;
  readonly firstRole: Role;
  // Null for the oldest.
  readonly firstWorkspaceId: WorkspaceId | null;
  readonly groupRoles: GroupRoles;
}

const bySystem: Acting = { actor: { kind: "system", id: null, name: "OpenID Connect sign-in" } };

export interface Admitted {
  readonly personId: PersonId;
  // Where the person's authority changed: caches must forget it after the commit.
  readonly changed: readonly WorkspaceId[];
}

export async function admitVouched(tx: Queryable, deps: ChangeDeps, entry: VouchedEntry): Promise<Admitted> {
  const now = deps.clock.now();
  const email = entry.email === null ? null : readEmail(entry.email);
  const name = readName(entry.name ?? "") ?? readName(email ?? "") ?? "Unnamed";
  const person = { id: newId<"person">(now.getTime()), name, email, createdAt: now };
  const isNew = await insertPerson(tx, person, entry.vouched);
  const personId = isNew ? person.id : await findVouchedPerson(tx, entry.vouched);
  // Deleted at this very moment; the next attempt creates them again.
  if (personId === null) throw new Fault("service_unavailable", "Try again.", { retryAfterSeconds: 1 });
  const subject = { kind: "person", id: personId };
  if (isNew) {
    const after = { name, issuer: entry.vouched.issuer };
    await deps.audit.append(tx, { ...bySystem, action: "person.create", subject, after });
    if (!decidesMembership(entry.groupRoles)) await joinFirstWorkspace(tx, deps, { entry, personId, now });
  }
  const firstWorkspaceId = entry.firstWorkspaceId ?? (await oldestWorkspace(tx));
  const roles = entry.groupRoles;
  return { personId, changed: await applyGroupRoles(tx, deps, { personId, roles, firstWorkspaceId, by: bySystem }) };
}

async function joinFirstWorkspace(
  tx: Queryable,
  { audit }: ChangeDeps,
  { entry, personId, now }: { entry: VouchedEntry; personId: PersonId; now: Date },
): Promise<void> {
  const workspaceId = entry.firstWorkspaceId ?? (await oldestWorkspace(tx));
  if (workspaceId === null || (await findWorkspace(tx, workspaceId)) === null) return;
  const role = entry.firstRole;
  if (!(await insertVouchedMember(tx, { workspaceId, personId, role, now }))) return;
  const subject = { kind: "person", id: personId };
  await audit.append(tx, { ...bySystem, action: "member.add", subject, workspaceId, after: { role } });
}

async function oldestWorkspace(tx: Queryable): Promise<WorkspaceId | null> {
  const first = await listWorkspaces(tx, { after: null, count: 50 });
  return first.find(({ name }) => name !== deletedName)?.id ?? null;
}

// Workspaces and the people in them. For every caller: a workspace always keeps an owner, a person's keys never have more
// authority than the person, and no person is matched by e-mail address, which we cannot verify. So a new member is
// either a person known by id or a new person.
import type { Queryable } from "../../../foundation/database/database.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type PersonId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, Audit, ChangeDeps } from "../acting.ts";
import { noSuchWorkspace } from "../keys.ts";
import { requireName } from "../names.ts";
import type { Role } from "../principal.ts";
import type { Workspace } from "../workspace.ts";
import { findWorkspace, insertWorkspace, listWorkspaces, lockWorkspace, renameWorkspace } from "../workspace-store.ts";
import { findFirstOwner, findPerson, findRole, insertMember, insertPerson, listMemberships } from "./member-store.ts";
import type { Membership, Person } from "./person.ts";

// Runs in the transaction that creates a workspace: its wallet, and anything else that must never be missing.
export type WorkspaceCreated = (tx: Queryable, workspaceId: WorkspaceId) => Promise<void>;

export interface WorkspacesDeps extends ChangeDeps {
  readonly workspaceCreated: WorkspaceCreated;
  readonly workspacesPerPersonMax: number;
}

export interface Workspaces {
  // Throws not_found.
  get(workspaceId: WorkspaceId): Promise<Workspace>;
  find(workspaceId: WorkspaceId): Promise<Workspace | null>;
  // All workspaces of the installation, for operators, by id, which is oldest first.
  list(page: { after: WorkspaceId | null; count: number }): Promise<Workspace[]>;
  // Whom `atelier keys link` signs in by default: the longest-standing owner of the oldest workspace.
  firstOwner(): Promise<Person | null>;
  // The person's own workspaces, with their role in each.
  listOf(personId: PersonId): Promise<Membership[]>;
  roleOf(workspaceId: WorkspaceId, personId: PersonId): Promise<Role | null>;
  person(personId: PersonId): Promise<Person | null>;
  create(request: { name: string; ownerId: PersonId }, by: Acting): Promise<Workspace>;
  rename(workspaceId: WorkspaceId, name: string, by: Acting): Promise<Workspace>;
}

export function createWorkspaces(deps: WorkspacesDeps): Workspaces {
  return {
    async get(workspaceId) {
      const workspace = await findWorkspace(deps.db, workspaceId);
      if (workspace === null) throw noSuchWorkspace();
      return workspace;
    },
    find: (workspaceId) => findWorkspace(deps.db, workspaceId),
    list: (page) => listWorkspaces(deps.db, page),
    firstOwner: () => findFirstOwner(deps.db),
    listOf: (personId) => listMemberships(deps.db, personId),
    roleOf: (workspaceId, personId) => findRole(deps.db, workspaceId, personId),
    person: (personId) => findPerson(deps.db, personId),
    create: (request, by) => createWorkspace(deps, request, by),
    rename: (workspaceId, name, by) => updateWorkspace(deps, { workspaceId, name }, by),
  };
}

async function createWorkspace(
  deps: WorkspacesDeps,
  request: { name: string; ownerId: PersonId },
  by: Acting,
): Promise<Workspace> {
  const now = deps.clock.now();
  const workspace = { id: newId<"workspace">(now.getTime()), name: requireName(request.name), createdAt: now };
  await deps.db.transaction(async (tx) => {
    if ((await listMemberships(tx, request.ownerId)).length >= deps.workspacesPerPersonMax) {
      throw new Fault("quota_exceeded", `A person can be in at most ${deps.workspacesPerPersonMax} workspaces.`);
    }
    await storeWorkspace(tx, deps, { workspace, ownerId: request.ownerId }, by);
  });
  return workspace;
}

export async function storeWorkspace(
  tx: Queryable,
  deps: Pick<WorkspacesDeps, "audit" | "workspaceCreated">,
  made: { workspace: Workspace; ownerId: PersonId },
  by: Acting,
): Promise<void> {
  const { workspace, ownerId } = made;
  await insertWorkspace(tx, workspace);
  const now = workspace.createdAt;
  await insertMember(tx, { workspaceId: workspace.id, personId: ownerId, role: "owner", now, isAccepted: true });
  await deps.workspaceCreated(tx, workspace.id);
  await deps.audit.append(tx, {
    ...by,
    action: "workspace.create",
    subject: { kind: "workspace", id: workspace.id },
    workspaceId: workspace.id,
    after: { name: workspace.name, owner: ownerId },
  });
}

async function updateWorkspace(
  deps: WorkspacesDeps,
  change: { workspaceId: WorkspaceId; name: string },
  by: Acting,
): Promise<Workspace> {
  const name = requireName(change.name);
  return deps.db.transaction(async (tx) => {
    const before = await lockWorkspace(tx, change.workspaceId);
    if (before === null) throw noSuchWorkspace();
    if (before.name === name) return before;
    await renameWorkspace(tx, before.id, name);
    await deps.audit.append(tx, {
      ...by,
      action: "workspace.update",
      subject: { kind: "workspace", id: before.id },
      workspaceId: before.id,
      before: { name: before.name },
      after: { name },
    });
    return { ...before, name };
  });
}

export async function storePerson(tx: Queryable, audit: Audit, person: Person, by: Acting): Promise<void> {
  await insertPerson(tx, person);
  await audit.append(tx, {
    ...by,
    action: "person.create",
    subject: { kind: "person", id: person.id },
    after: { name: person.name },
  });
}

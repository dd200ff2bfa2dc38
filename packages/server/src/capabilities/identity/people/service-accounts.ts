// Programs as members of a workspace under a name of their own: they have a role and keys, and cannot sign in. They do not leave
// when a person does.
import type { Queryable } from "../../../foundation/database/database.ts";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { type KeyId, newId, type ServiceAccountId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { noSuchWorkspace } from "../keys.ts";
import { requireName } from "../names.ts";
import { lockWorkspace } from "../workspace-store.ts";
import type { ServiceAccount } from "./person.ts";
import {
  findServiceAccount,
  insertServiceAccount,
  listServiceAccounts,
  markServiceAccountRemoved,
  revokeServiceAccountKeys,
} from "./service-account-store.ts";

export type ServiceAccountRequest = Pick<ServiceAccount, "workspaceId" | "name" | "role" | "createdBy">;

export interface ServiceAccounts {
  list(workspaceId: WorkspaceId): Promise<ServiceAccount[]>;
  // Throws not_found for one of another workspace, a removed one and an unknown one.
  get(workspaceId: WorkspaceId, id: ServiceAccountId): Promise<ServiceAccount>;
  create(request: ServiceAccountRequest, by: Acting): Promise<ServiceAccount>;
  // Revokes its keys.
  remove(workspaceId: WorkspaceId, id: ServiceAccountId, by: Acting): Promise<{ revokedKeys: KeyId[] }>;
}

export interface ServiceAccountsDeps extends ChangeDeps {
  authorityChanged(workspaceId: WorkspaceId): Promise<void>;
}

const accountsMax = 200;

export function createServiceAccounts(deps: ServiceAccountsDeps): ServiceAccounts {
  const { db } = deps;
  return {
    list: (workspaceId) => listServiceAccounts(db, workspaceId),
    get: (workspaceId, id) => requireServiceAccount(db, workspaceId, id),
    create: (request, by) => createServiceAccount(deps, request, by),
    remove: (workspaceId, id, by) => removeServiceAccount(deps, { workspaceId, id }, by),
  };
}

async function createServiceAccount(
  { db, clock, audit }: ServiceAccountsDeps,
  request: ServiceAccountRequest,
  by: Acting,
): Promise<ServiceAccount> {
  const createdAt = clock.now();
  const { workspaceId } = request;
  const account = {
    ...request,
    id: newId<"service-account">(createdAt.getTime()),
    name: requireName(request.name),
    createdAt,
  };
  await db.transaction(async (tx) => {
    // The lock makes looking and inserting one step.
    if ((await lockWorkspace(tx, workspaceId)) === null) throw noSuchWorkspace();
    const others = await listServiceAccounts(tx, workspaceId);
    if (others.some(({ name }) => name.toLowerCase() === account.name.toLowerCase()))
      throw new Fault("conflict", "The workspace already has a service account of this name.");
    if (others.length >= accountsMax)
      throw new Fault("quota_exceeded", `A workspace can have at most ${accountsMax} service accounts.`);
    await insertServiceAccount(tx, account);
    const subject = { kind: "service_account", id: account.id };
    const after = { name: account.name, role: account.role };
    await audit.append(tx, { ...by, action: "service_account.create", subject, workspaceId, after });
  });
  return account;
}

async function removeServiceAccount(
  { db, clock, audit, authorityChanged }: ServiceAccountsDeps,
  which: { workspaceId: WorkspaceId; id: ServiceAccountId },
  by: Acting,
): Promise<{ revokedKeys: KeyId[] }> {
  const { workspaceId, id } = which;
  const removal = { ...which, now: clock.now() };
  const revokedKeys = await db.transaction(async (tx) => {
    if ((await lockWorkspace(tx, workspaceId)) === null) throw noSuchWorkspace();
    const { name, role } = await requireServiceAccount(tx, workspaceId, id);
    await markServiceAccountRemoved(tx, removal);
    const revoked = await revokeServiceAccountKeys(tx, removal);
    const subject = { kind: "service_account", id };
    const change = { before: { name, role }, after: { revoked_keys: revoked } };
    await audit.append(tx, { ...by, action: "service_account.remove", subject, workspaceId, ...change });
    return revoked;
  });
  await authorityChanged(workspaceId);
  return { revokedKeys };
}

async function requireServiceAccount(
  db: Queryable,
  workspaceId: WorkspaceId,
  id: ServiceAccountId,
): Promise<ServiceAccount> {
  return orNotFound(await findServiceAccount(db, workspaceId, id), "There is no such service account.");
}

// API keys of a workspace: created, shown once, listed, renamed, revoked. The caller (the account area, the admin area, the
// command line) decides who may do this; rules that hold for every caller are here.
import type { Queryable } from "../../foundation/database/database.ts";
import { isUniqueViolation } from "../../foundation/database/database-errors.ts";
import { Fault, orNotFound } from "../../foundation/fault.ts";
import { type KeyId, newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Acting, Audit, ChangeDeps } from "./acting.ts";
import type { ApiKey } from "./api-key.ts";
import { displayPrefix, generateKey, hashSecret } from "./api-key.ts";
import {
  bringForwardEnd,
  countLiveKeys,
  findKey,
  insertKey,
  listKeys,
  listLinkKeys,
  markRevoked,
  setKeyName,
} from "./key-store.ts";
import { requireName } from "./names.ts";
import { lockWorkspace } from "./workspace-store.ts";

// Throws quota_exceeded if one more does not fit beside the `used` ones.
export type RequireQuota = (workspaceId: WorkspaceId, quota: "keys", used: number) => void | Promise<void>;

export interface KeysDeps extends ChangeDeps {
  readonly requireQuota: RequireQuota;
  // Called with the hash once a key was created or revoked, so that this process forgets what it had cached.
  keyChanged(hash: Buffer): Promise<void>;
  // Called once a key has ended, or will end earlier: tokens made from it end with it.
  ancestorEnded(id: string): Promise<void>;
}

export interface KeyRequest
  extends Pick<ApiKey, "workspaceId" | "name" | "role" | "scopes" | "expiresAt" | "createdBy"> {
  // For the key of a link: the only work that it may call. Absent for ordinary keys.
  readonly onlyModel?: string;
  readonly serviceAccount?: ApiKey["serviceAccount"];
}

export interface Keys {
  // `secret` is the whole key; it appears only in this answer.
  create(request: KeyRequest, by: Acting): Promise<{ key: ApiKey; secret: string }>;
  list(workspaceId: WorkspaceId): Promise<ApiKey[]>;
  get(workspaceId: WorkspaceId, keyId: KeyId): Promise<ApiKey>;
  // Throws not_found, and invalid_request for a name that is none.
  rename(workspaceId: WorkspaceId, keyId: KeyId, name: string, by: Acting): Promise<ApiKey>;
  // Revoking a revoked key changes nothing and is not an error: the caller has what they wanted.
  revoke(workspaceId: WorkspaceId, keyId: KeyId, by: Acting): Promise<ApiKey>;
  // The key stops working then, or earlier if it would have expired anyway.
  endAt(workspaceId: WorkspaceId, keyId: KeyId, end: Date, by: Acting): Promise<ApiKey>;
  // Keys of links: those of one work, the newest first. No other method finds them.
  links(workspaceId: WorkspaceId, onlyModel: string): Promise<ApiKey[]>;
  // Throws not_found. Ending an ended link changes nothing.
  endLink(link: { workspaceId: WorkspaceId; keyId: KeyId; onlyModel: string }, by: Acting): Promise<ApiKey>;
}

// Links of a work that work at the same time, and how many a list shows.
const liveLinksMax = 500;
const shownLinksMax = 1_000;

export function createKeys(deps: KeysDeps): Keys {
  return {
    create: (request, by) => createKey(deps, request, by),
    list: (workspaceId) => listKeys(deps.db, workspaceId),
    get: (workspaceId, keyId) => requireKey(deps.db, workspaceId, keyId),
    rename: (workspaceId, keyId, name, by) => renameKey(deps, { workspaceId, keyId, name }, by),
    revoke: (workspaceId, keyId, by) => revokeKey(deps, { workspaceId, keyId }, by),
    endAt: (workspaceId, keyId, end, by) => endKeyAt(deps, { workspaceId, keyId, end }, by),
    links: (workspaceId, onlyModel) => listLinkKeys(deps.db, { workspaceId, onlyModel, count: shownLinksMax }),
    endLink: (link, by) => revokeKey(deps, link, by),
  };
}

async function createKey(deps: KeysDeps, request: KeyRequest, by: Acting): Promise<{ key: ApiKey; secret: string }> {
  const now = deps.clock.now();
  const name = requireName(request.name);
  if (request.scopes.length === 0) throw new Fault("invalid_request", "A key needs at least one scope.");
  if (request.expiresAt !== null && request.expiresAt <= now) {
    throw new Fault("invalid_request", "A key cannot expire in the past.");
  }
  const secret = generateKey();
  const key = newKey({ ...request, name }, secret, now);
  await deps.db.transaction(async (tx) => {
    // The lock makes counting and inserting one step, so two requests cannot both take the last free slot.
    if ((await lockWorkspace(tx, request.workspaceId)) === null) throw noSuchWorkspace();
    const { onlyModel = null } = request;
    const used = await countLiveKeys(tx, request.workspaceId, now, onlyModel);
    if (onlyModel === null) await deps.requireQuota(request.workspaceId, "keys", used);
    else if (used >= liveLinksMax)
      throw new Fault("quota_exceeded", `A work can have ${liveLinksMax} links at a time. End some first.`);
    await storeKey(tx, deps.audit, { key, secret }, by);
  });
  // Negative lookups are cached too. A key looked up before it existed was a guess, so no one waits for this.
  void deps.keyChanged(hashSecret(secret));
  return { key, secret };
}

export function newKey(request: KeyRequest, secret: string, now: Date): ApiKey {
  return {
    id: newId<"key">(now.getTime()),
    workspaceId: request.workspaceId,
    name: request.name,
    prefix: displayPrefix(secret),
    role: request.role,
    scopes: [...new Set(request.scopes)],
    createdBy: request.createdBy,
    createdAt: now,
    lastUsedAt: null,
    expiresAt: request.expiresAt,
    revokedAt: null,
    onlyModel: request.onlyModel ?? null,
    serviceAccount: request.serviceAccount ?? null,
  };
}

// The audit gets what a list shows, never the secret or its hash.
export async function storeKey(
  tx: Queryable,
  audit: Audit,
  made: { key: ApiKey; secret: string },
  by: Acting,
): Promise<void> {
  const { key, secret } = made;
  try {
    await insertKey(tx, { ...key, hash: hashSecret(secret) });
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw new Fault("conflict", "This key is already in use.", { cause: thrown });
    throw thrown;
  }
  await audit.append(tx, {
    ...by,
    action: "api_key.create",
    subject: { kind: "key", id: key.id },
    workspaceId: key.workspaceId,
    after: {
      name: key.name,
      prefix: key.prefix,
      role: key.role,
      scopes: key.scopes,
      expires_at: key.expiresAt,
      ...(key.onlyModel === null ? {} : { only_model: key.onlyModel }),
      ...(key.serviceAccount === null ? {} : { service_account: key.serviceAccount.id }),
    },
  });
}

// For the audit: which key it was, beside what changed.
function changeOf({ id, workspaceId, name, prefix }: ApiKey, action: string, before: object, after: object) {
  const subject = { kind: "key", id };
  return { action, subject, workspaceId, before: { name, prefix, ...before }, after: { name, prefix, ...after } };
}

async function renameKey(
  deps: KeysDeps,
  which: { workspaceId: WorkspaceId; keyId: KeyId; name: string },
  by: Acting,
): Promise<ApiKey> {
  const name = requireName(which.name);
  return deps.db.transaction(async (tx) => {
    const before = await requireKey(tx, which.workspaceId, which.keyId);
    if (before.name === name) return before;
    await setKeyName(tx, { ...which, name });
    await deps.audit.append(tx, { ...by, ...changeOf(before, "api_key.rename", {}, { name }) });
    return { ...before, name };
  });
}

async function revokeKey(
  deps: KeysDeps,
  which: { workspaceId: WorkspaceId; keyId: KeyId; onlyModel?: string },
  by: Acting,
): Promise<ApiKey> {
  const now = deps.clock.now();
  const { key, hash } = await deps.db.transaction(async (tx) => {
    const before = await requireKey(tx, which.workspaceId, which.keyId, which.onlyModel);
    const revoked = await markRevoked(tx, { ...which, now });
    if (revoked === null)
      return { key: await requireKey(tx, which.workspaceId, which.keyId, which.onlyModel), hash: null };
    await deps.audit.append(tx, {
      ...by,
      ...changeOf(before, "api_key.revoke", { revoked_at: null }, { revoked_at: now }),
    });
    return { key: { ...before, revokedAt: now }, hash: revoked };
  });
  if (hash !== null) await Promise.all([deps.keyChanged(hash), deps.ancestorEnded(key.id)]);
  return key;
}

async function endKeyAt(
  deps: KeysDeps,
  which: { workspaceId: WorkspaceId; keyId: KeyId; end: Date },
  by: Acting,
): Promise<ApiKey> {
  const { key, hash } = await deps.db.transaction(async (tx) => {
    const before = await requireKey(tx, which.workspaceId, which.keyId);
    const changed = await bringForwardEnd(tx, which);
    if (changed === null) return { key: before, hash: null };
    const ends = changeOf(before, "api_key.end", { expires_at: before.expiresAt }, { expires_at: which.end });
    await deps.audit.append(tx, { ...by, ...ends });
    return { key: { ...before, expiresAt: which.end }, hash: changed };
  });
  if (hash !== null) await Promise.all([deps.keyChanged(hash), deps.ancestorEnded(key.id)]);
  return key;
}

async function requireKey(
  db: Queryable,
  workspaceId: WorkspaceId,
  keyId: KeyId,
  onlyModel: string | null = null,
): Promise<ApiKey> {
  return orNotFound(await findKey(db, workspaceId, keyId, onlyModel), "There is no such key.");
}

export function noSuchWorkspace(): Fault {
  return new Fault("not_found", "There is no such workspace.");
}

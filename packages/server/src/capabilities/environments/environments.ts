// Environments that operators keep: saved under a name, version by version, compared and removed.
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId, parseId } from "../../foundation/ids.ts";
import { canonicalJson } from "../../foundation/json/json-canonical.ts";
import type { Audit, NewAuditEntry } from "../audit/index.ts";
import {
  findEnvironment,
  findEnvironments,
  findLock,
  findNeeding,
  findNewest,
  insertEnvironment,
  insertLock,
  insertLockWeights,
  isLockUsed,
  lockName,
  type NeedingEnvironment,
  removeEnvironment,
  removeUnusedLock,
} from "./environment-store.ts";
import { compareLocks, type LockDifference } from "./lock/compare-locks.ts";
import { type EnvironmentLock, lockId } from "./lock/environment-lock.ts";
import { readLock } from "./lock/read-lock.ts";
import type { EnvironmentId, SavedEnvironment } from "./saved-environment.ts";

export interface NewEnvironment {
  readonly name: string;
  readonly note: string | null;
  // Not checked yet.
  readonly lock: unknown;
}

export interface Environments {
  // `isNew` is false if the newest version under this name is the same lock.
  save(made: NewEnvironment, by: Acting): Promise<{ isNew: boolean; environment: SavedEnvironment }>;
  // Newest first.
  list(page: { readonly before: EnvironmentId | null; readonly count: number }): Promise<readonly SavedEnvironment[]>;
  // Throws not_found.
  get(id: EnvironmentId): Promise<SavedEnvironment>;
  lockOf(environment: SavedEnvironment): Promise<EnvironmentLock>;
  // By the lock's own id. Throws not_found.
  lock(lockId: string): Promise<EnvironmentLock>;
  hasLock(lockId: string): Promise<boolean>;
  // What changed from the first to the second.
  compare(from: EnvironmentId, to: EnvironmentId): Promise<readonly LockDifference[]>;
  // By id, or the newest version of a name. Throws not_found.
  named(text: string): Promise<SavedEnvironment>;
  // Which environments name weights with these hashes.
  needing(hashes: readonly string[]): Promise<readonly NeedingEnvironment[]>;
  remove(id: EnvironmentId, by: Acting): Promise<void>;
}

export interface EnvironmentsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  // A deployment or pool that pins a lock, in words. Null if there is none.
  findPinner(tx: Queryable, lockId: string): Promise<string | null>;
}

export function createEnvironments({ database, clock, audit, findPinner }: EnvironmentsDeps): Environments {
  async function get(id: EnvironmentId): Promise<SavedEnvironment> {
    const found = await findEnvironment(database, id);
    if (found === null) throw noSuchEnvironment();
    return found;
  }

  async function lockById(id: string): Promise<EnvironmentLock> {
    const document = await findLock(database, id);
    if (document === null) throw noSuchEnvironment();
    return readLock(JSON.parse(document));
  }

  const lockOf = (environment: SavedEnvironment) => lockById(environment.lockId);

  return {
    async save({ name, note, lock: given }, by) {
      const lock = readLock(given);
      const [document, id] = [canonicalJson(lock), lockId(lock)];
      return database.transaction(async (tx) => {
        await lockName(tx, name);
        const newest = await findNewest(tx, name);
        if (newest?.lockId === id) return { isNew: false, environment: newest };
        const at = clock.now();
        const environment: SavedEnvironment = {
          id: newId<"environment">(at.getTime()),
          name,
          version: (newest?.version ?? 0) + 1,
          lockId: id,
          note,
          applicationVersion: lock.application.version,
          packs: lock.packs.length,
          weights: lock.weights.length,
          weightBytes: lock.weights.reduce((sum, { bytes }) => sum + bytes, 0),
          createdAt: at,
        };
        await insertLock(tx, id, document);
        await insertLockWeights(tx, id, lock.weights);
        await insertEnvironment(tx, environment);
        await audit.append(tx, entry(by, "save", environment));
        return { isNew: true, environment };
      });
    },
    list: (page) => findEnvironments(database, page),
    get,
    lockOf,
    lock: lockById,
    hasLock: async (id) => (await findLock(database, id)) !== null,
    async compare(from, to) {
      const [before, after] = [await lockOf(await get(from)), await lockOf(await get(to))];
      return compareLocks(before, after);
    },
    async named(text) {
      const id = parseId<"environment">(text);
      const found = id === null ? await findNewest(database, text) : await findEnvironment(database, id);
      if (found === null) throw noSuchEnvironment();
      return found;
    },
    needing: (hashes) => findNeeding(database, hashes),
    async remove(id, by) {
      await database.transaction(async (tx) => {
        const removed = await removeEnvironment(tx, id);
        if (removed === null) throw noSuchEnvironment();
        const pinner = (await isLockUsed(tx, removed.lockId)) ? null : await findPinner(tx, removed.lockId);
        if (pinner !== null) throw new Fault("conflict", `${pinner} pins this lock. Pin another one first.`);
        await removeUnusedLock(tx, removed.lockId);
        await audit.append(tx, entry(by, "remove", removed));
      });
    },
  };
}

function noSuchEnvironment(): Fault {
  return new Fault("not_found", "There is no such environment.");
}

function entry(by: Acting, verb: string, { id, name, version, lockId: lock }: SavedEnvironment): NewAuditEntry {
  return {
    ...by,
    action: `environment.${verb}`,
    subject: { kind: "environment", id },
    after: { name, version, lock_id: lock },
    shown: ["lock_id"],
  };
}

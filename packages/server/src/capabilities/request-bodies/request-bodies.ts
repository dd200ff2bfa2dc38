// A workspace may keep the inputs and answers of its model calls, to see later why one failed. It is off unless an owner turned
// it on, has an end, and what is kept is sealed. Keeping never delays or fails a call: bodies are noted after the answer is
// known, wait in a bounded queue and are written in batches. What does not fit is counted and not kept.
import { createHash } from "node:crypto";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import { type Database, groupCommit } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Log } from "../../foundation/log.ts";
import type { Audit } from "../audit/index.ts";
import type { KeyRing, Sealer } from "../secrets/index.ts";
import {
  deleteBodies,
  deleteEnded,
  deleteSurplus,
  findBodies,
  insertBodies,
  listSealedBy,
  replaceSealed,
  type SealedBodies,
  shortenBodies,
  sumBodies,
} from "./body-store.ts";
import { findKeeping, listKeepers, putKeeping } from "./keeping-store.ts";
import type {
  BodyKeeping,
  FoundBodies,
  KeptBodies,
  KeptBody,
  NotedBodies,
  RawBody,
  ShownKeeping,
} from "./request-body.ts";
import { stripBody } from "./strip-body.ts";

export interface RequestBodies {
  // Whether this workspace keeps bodies. Asked for every call, so it looks only into memory.
  keeps(workspaceId: WorkspaceId): boolean;
  // Best effort: lost with the process, while the database is down, and when too much is waiting.
  note(bodies: NotedBodies): void;
  // By the id of a request or of its call. Null if nothing is kept.
  find(wanted: {
    readonly workspaceId: WorkspaceId;
    readonly requestId: string;
    readonly callId: string | null;
  }): Promise<FoundBodies | null>;
  keepingOf(workspaceId: WorkspaceId): Promise<ShownKeeping>;
  // Turning it off deletes what is kept; a shorter time applies to it too.
  change(
    workspaceId: WorkspaceId,
    wanted: { readonly isOn: boolean; readonly keepHours?: number | undefined },
    by: Acting,
  ): Promise<ShownKeeping>;
  // Learns which workspaces keep bodies.
  look(): Promise<void>;
  // One round of deleting what has ended, or is too much, and of resealing.
  tidy(): Promise<void>;
  // Resolves when everything noted so far is written or given up.
  close(): Promise<void>;
}

export interface RequestBodiesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly keyRing: Pick<KeyRing, "current" | "verifying">;
  readonly audit: Pick<Audit, "append">;
  readonly known: Pick<KnownSecrets, "ofWorkspace">;
  readonly forgetting?: Forgetting;
  readonly bounds: BodyBounds;
  // Called for each request whose bodies are not kept although they should be.
  readonly onUnkept?: () => void;
}

// The operator's.
export interface BodyBounds {
  // Zero: no bodies are kept on this server.
  readonly keepHoursMax: number;
  readonly bodyBytesMax: number;
  readonly workspaceBytesMax: number;
}

export const defaultKeepHours = 72;
const keepersMax = 100_000;
const waitingBytesMax = 64 * 1024 * 1024;
const waitingMax = 2_000;
const batchMax = 32;
const batchRows = 1_000;

export function createRequestBodies(deps: RequestBodiesDeps): RequestBodies {
  const { database, clock, log, bounds, forgetting = forgettingAlone } = deps;
  let keepers: ReadonlySet<WorkspaceId> = new Set();
  let waitingBytes = 0;

  async function look(): Promise<void> {
    keepers = new Set(bounds.keepHoursMax === 0 ? [] : await listKeepers(database, keepersMax));
  }
  const lookSoon = () =>
    void look().catch((err: unknown) => log.warn({ err }, "who keeps bodies could not be looked up"));
  const tellOthers = forgetting.share("body keeping", lookSoon);

  const writing = groupCommit<Waiting, undefined>({
    maxBatch: batchMax,
    inFlight: 1,
    async run(batch) {
      const sealed = new Map<string, SealedBodies>();
      for (const one of batch) {
        const bodies = await sealedBodies(deps, one).catch((err: unknown) => {
          log.warn({ err, requestId: one.requestId }, "the bodies of a request could not be sealed");
          return null;
        });
        // A request that ran again replaces what was kept of it.
        if (bodies === null) deps.onUnkept?.();
        else sealed.set(`${one.workspaceId} ${one.requestId}`, bodies);
        waitingBytes -= sizeOf(one);
      }
      await insertBodies(database, [...sealed.values()], bounds.keepHoursMax).catch((err: unknown) => {
        log.warn({ err, count: sealed.size }, "bodies of requests could not be kept");
        for (const _ of sealed) deps.onUnkept?.();
      });
      return batch.map(() => undefined);
    },
  });

  return {
    keeps: (workspaceId) => keepers.has(workspaceId),
    note(noted) {
      if (!keepers.has(noted.workspaceId)) return;
      const bytes = sizeOf(noted);
      if (writing.waiting >= waitingMax || (waitingBytes > 0 && waitingBytes + bytes > waitingBytesMax)) {
        deps.onUnkept?.();
        return;
      }
      waitingBytes += bytes;
      void writing({ ...noted, at: clock.now() }).catch(() => deps.onUnkept?.());
    },
    async find(wanted) {
      const stored = await findBodies(database, wanted, clock.now());
      if (stored === null || bounds.keepHoursMax === 0) return null;
      const text = deps.sealer.open(sealContextOf(stored), stored.sealed);
      if (text === null) {
        log.warn({ requestId: stored.requestId }, "kept bodies cannot be decrypted with this key ring");
        return null;
      }
      // We sealed it, so it has this shape.
      const bodies: KeptBodies = JSON.parse(text.toString("utf8"));
      return { ...bodies, requestId: stored.requestId, at: stored.at, expiresAt: stored.expiresAt };
    },
    keepingOf: (workspaceId) => shownKeeping(deps, workspaceId),
    async change(workspaceId, wanted, by) {
      await changeKeeping(deps, workspaceId, wanted, by);
      await look();
      await tellOthers(workspaceId);
      return shownKeeping(deps, workspaceId);
    },
    look,
    async tidy() {
      const ended = { now: clock.now(), keepHoursMax: bounds.keepHoursMax, count: batchRows };
      while ((await deleteEnded(database, ended)) === batchRows);
      await deleteSurplus(database, bounds.workspaceBytesMax);
      await resealAll(deps);
    },
    close: () => writing.close(),
  };
}

type Waiting = NotedBodies & { readonly at: Date };

const sizeOf = ({ input, answer }: NotedBodies) => (input?.bytes.byteLength ?? 0) + answer.bytes.byteLength;

async function sealedBodies(deps: RequestBodiesDeps, noted: Waiting): Promise<SealedBodies> {
  const { workspaceId, requestId, callId, at, input, answer } = noted;
  const hiding = await deps.known.ofWorkspace(workspaceId);
  const rules = { hiding, bytesMax: deps.bounds.bodyBytesMax };
  const strip = async (raw: RawBody): Promise<KeptBody> => stripBody(raw, await hashInPieces(raw.bytes), rules);
  const kept: KeptBodies = {
    input: input && (await strip(input)),
    answer: { ...(await strip(answer)), status: answer.status },
  };
  const keyId = deps.keyRing.current("seal").id;
  const sealed = deps.sealer.seal(sealContextOf(noted), JSON.stringify(kept));
  return { workspaceId, requestId, callId, at, keyId, sealed };
}

const piece = 4 * 1024 * 1024;

// Other requests go in between.
async function hashInPieces(bytes: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for (let from = 0; from === 0 || from < bytes.byteLength; from += piece) {
    hash.update(bytes.subarray(from, from + piece));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return hash.digest("hex");
}

const sealContextOf = ({ workspaceId, requestId }: Pick<SealedBodies, "workspaceId" | "requestId">) => ({
  use: "request-bodies",
  associatedData: `${workspaceId} ${requestId}`,
});

async function shownKeeping(deps: RequestBodiesDeps, workspaceId: WorkspaceId): Promise<ShownKeeping> {
  const { keepHoursMax, bodyBytesMax } = deps.bounds;
  const [stored, kept] = await Promise.all([
    findKeeping(deps.database, workspaceId),
    sumBodies(deps.database, workspaceId),
  ]);
  return {
    isOn: keepHoursMax > 0 && (stored?.isOn ?? false),
    keepHours: Math.min(stored?.keepHours ?? defaultKeepHours, keepHoursMax),
    keepHoursMax,
    bodyBytesMax,
    changedAt: stored?.updatedAt ?? null,
    kept,
  };
}

async function changeKeeping(
  { database, clock, audit, bounds: { keepHoursMax } }: RequestBodiesDeps,
  workspaceId: WorkspaceId,
  wanted: { readonly isOn: boolean; readonly keepHours?: number | undefined },
  by: Acting,
): Promise<void> {
  if (wanted.isOn && keepHoursMax === 0)
    throw new Fault("forbidden", "This server keeps no bodies of requests. Its operator decides that.");
  if (wanted.keepHours !== undefined && wanted.keepHours > Math.max(keepHoursMax, 1))
    throw badField("keep_hours", `must be at most ${keepHoursMax}`);
  await database.transaction(async (tx) => {
    const before: BodyKeeping | null = await findKeeping(tx, workspaceId);
    const usual = Math.min(before?.keepHours ?? defaultKeepHours, Math.max(keepHoursMax, 1));
    const after = { isOn: wanted.isOn, keepHours: wanted.keepHours ?? usual };
    await putKeeping(tx, { workspaceId, ...after, at: clock.now() });
    const deleted = after.isOn ? 0 : await deleteBodies(tx, workspaceId);
    if (after.isOn) await shortenBodies(tx, workspaceId, after.keepHours);
    await audit.append(tx, {
      ...by,
      action: "request_bodies.keep",
      subject: { kind: "workspace", id: workspaceId },
      workspaceId,
      before: { isOn: before?.isOn ?? false, keepHours: before?.keepHours ?? null },
      after: { ...after, deleted },
    });
  });
}

// After a rotation: everything that an older key of the ring sealed.
async function resealAll({ database, sealer, keyRing }: RequestBodiesDeps): Promise<void> {
  const current = keyRing.current("seal").id;
  const older = keyRing.verifying("seal").flatMap(({ id }) => (id === current ? [] : [id]));
  if (older.length === 0) return;
  for (;;) {
    const found = await listSealedBy(database, older, batchRows);
    for (const stored of found) {
      const sealed = sealer.reseal(sealContextOf(stored), stored.sealed);
      await replaceSealed(database, stored, { sealed: sealed ?? stored.sealed, keyId: current });
    }
    if (found.length < batchRows) return;
  }
}

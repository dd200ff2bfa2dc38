// Copies archives of the upstream registry, so that they stay available while upstream is down. We copy archives that a
// caller asked for and, if the operator wants it, the latest version of every node in the background. Only a few are
// copied at a time, within the operator's byte limit; the copy that has gone unasked for longest is evicted first.

import type { NodeVersion } from "@atelier/contract";
import type { Background } from "../../../foundation/background.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { trustedId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import type { StoredArchive } from "../versions/stored-version.ts";
import { type BringArchiveDeps, type Brought, bringArchive, copyHolder } from "./bring-archive.ts";
import type { KnownAnswerDeps } from "./known-answer.ts";
import { findUpstreamState } from "./mirror-store.ts";
import {
  askForCopy,
  claimCopy,
  claimWanted,
  forgetWanted,
  keptBytes,
  type LetGo,
  letGoAbove,
  letGoOfDeleted,
  noteProblem,
  type StoredCopy,
  type UpstreamVersionId,
  wantLatest,
} from "./upstream-archive-store.ts";
import { findUpstreamVersion } from "./upstream-state.ts";

export interface ArchiveCopiesDeps extends BringArchiveDeps, KnownAnswerDeps {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "info">;
  // Copy the latest version of every node even if no one asked for it.
  readonly withLatest: boolean;
  readonly bytesMax: number;
  readonly lookEverySeconds: number;
  readonly deletedDays: number;
}

export interface ArchiveCopies {
  // Starts copying it unless we have it. Does not wait.
  want(version: NodeVersion): void;
  // Returns its bytes, copying them first if needed. Throws 503 if that takes too long or upstream is down; copying
  // continues in the background.
  have(version: NodeVersion): Promise<StoredArchive>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const patienceMs = 25_000;
const archiveBytesMax = 1024 ** 3;
const atOnceMax = 4;
const dayMs = 86_400_000;

export function createArchiveCopies(deps: ArchiveCopiesDeps): ArchiveCopies {
  const underWay = new Map<UpstreamVersionId, Promise<StoredArchive>>();
  const ending = new AbortController();
  const lane = createLane(atOnceMax);

  async function bringAsked(version: NodeVersion, id: UpstreamVersionId): Promise<StoredArchive> {
    const asked = { id, folded: foldedNodeId(version.node_id), version: version.version };
    const copy = await askForCopy(deps.database, asked);
    if (copy?.state === "kept" && copy.archive) return copy.archive;
    if (copy === null || copy.state === "refused") throw unavailable(copy?.problem ?? "");
    return lane(async () => {
      await claimCopy(deps.database, id);
      return archiveOf(await bring(deps, copy, version, ending.signal));
    });
  }

  function begin(version: NodeVersion): Promise<StoredArchive> {
    const id: UpstreamVersionId = trustedId(version.id);
    const known = underWay.get(id);
    if (known) return known;
    const bringing = bringAsked(version, id).finally(() => underWay.delete(id));
    underWay.set(id, bringing);
    return bringing;
  }

  return {
    want(version) {
      begin(version).catch(() => {});
    },
    async have(version) {
      const patience = new AbortController();
      const late = deps.clock.sleep(patienceMs, patience.signal).then(() => null);
      try {
        const archive = await Promise.race([begin(version), late]);
        if (archive === null) throw unavailable("It is being copied.");
        return archive;
      } finally {
        patience.abort();
      }
    },
    async run(background, signal) {
      const round = (stopping: AbortSignal) => workOff(deps, stopping);
      const everyMs = deps.lookEverySeconds * 1000;
      await background.run({ name: "registry: copy upstream archives", role: "background", everyMs, round }, signal);
      ending.abort();
      await Promise.allSettled(underWay.values());
    },
  };
}

// Strictly one after the other: this is low-priority work, and callers who wait for a copy do not queue behind it.
async function workOff(deps: ArchiveCopiesDeps, signal: AbortSignal): Promise<void> {
  const deletedBefore = new Date(deps.clock.now().getTime() - deps.deletedDays * dayMs);
  await letGo(deps, (tx) => letGoOfDeleted(tx, deletedBefore));
  if (deps.withLatest) await wantLatest(deps.database);
  while (!signal.aborted && (await keptBytes(deps.database)) < deps.bytesMax) {
    const copy = await claimWanted(deps.database);
    if (copy === null) return;
    const state = await findUpstreamState(deps.database, copy.folded);
    const isOffered = state !== null && state !== "own" && state.status === "NodeStatusActive";
    const version = isOffered ? await findUpstreamVersion(deps, state, copy.version).catch(() => null) : null;
    if (version?.id === copy.id) await bring(deps, copy, version, signal);
    else if (!isOffered) await forgetWanted(deps.database, copy.id);
  }
}

async function bring(
  deps: ArchiveCopiesDeps,
  copy: StoredCopy,
  version: NodeVersion,
  signal: AbortSignal,
): Promise<Brought> {
  const bytesMax = Math.min(archiveBytesMax, deps.bytesMax);
  const brought = await bringArchive(deps, { copy, version, bytesMax, signal });
  if (brought.kind === "kept") {
    await letGo(deps, (tx) => letGoAbove(tx, deps.bytesMax));
    return brought;
  }
  const isRefused = brought.kind === "refused";
  await noteProblem(deps.database, { id: copy.id, problem: brought.problem, isRefused });
  const about = { nodeId: version.node_id, version: version.version, problem: brought.problem };
  if (!signal.aborted) deps.log.warn(about, "an archive of the upstream registry could not be copied");
  return brought;
}

async function letGo(
  { database, blobs }: ArchiveCopiesDeps,
  choose: (tx: Parameters<typeof letGoAbove>[0]) => Promise<LetGo[]>,
): Promise<void> {
  await database.transaction(async (tx) => {
    for (const { id, hash } of await choose(tx)) await blobs.release(tx, hash, copyHolder(id));
  });
}

function archiveOf(brought: Brought): StoredArchive {
  if (brought.kind === "kept") return brought.archive;
  throw unavailable(brought.problem);
}

function unavailable(problem: string): Fault {
  const message = `This archive is not stored here and could not be copied from the upstream registry. ${problem}`;
  return new Fault("service_unavailable", message.trimEnd(), { retryAfterSeconds: 10 });
}

// Runs `atOnce` at a time; the rest wait in line.
function createLane(atOnce: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

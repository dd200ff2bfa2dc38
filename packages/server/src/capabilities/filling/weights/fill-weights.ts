// Makes the models folder hold exactly the weights of a lock. What is there already stays; what is missing comes from the
// cache, from neighbours or from the server; what the lock does not name is moved aside. A weight gets its place only when
// all of its bytes were checked.
import { link, lstat, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { sizeText } from "../../../foundation/home/size-text.ts";
import { type FileHashing, type LockedWeight, listWeights } from "../../environments/index.ts";
import { FillProblem, isFull } from "../fill-problem.ts";
import { moveAside, placeInside } from "../inside-folder.ts";
import type { FillReporter, FillServer } from "../report-fill.ts";
import { copyHere } from "./copy-here.ts";
import { type FetchDeps, fetchWeight } from "./fetch-weight.ts";
import type { Neighbours } from "./neighbour.ts";
import { openPieceFile, type PieceFile, type PieceFileDeps } from "./piece-file.ts";
import { readPieces } from "./pieces.ts";
import type { WeightCache } from "./weight-cache.ts";

export interface FillWeightsDeps {
  readonly server: FillServer;
  readonly workerId: string;
  // The mark of this machine, by which the server tells that it is on it too. Null: everything comes over the network.
  readonly machine: string | null;
  readonly cache: WeightCache;
  readonly hashing: FileHashing;
  readonly blake3: PieceFileDeps["blake3"];
  readonly neighbours: Neighbours;
  readonly reporter: FillReporter;
  // Weights on their way, for neighbours.
  readonly arriving: Map<string, PieceFile>;
  // Ids of neighbours that sent wrong bytes.
  readonly liars: Set<string>;
  readonly now: () => Date;
  readonly nowMs: () => number;
  readonly sleep: FetchDeps["sleep"];
  readonly isPassing: FetchDeps["isPassing"];
  readonly signal: AbortSignal;
  onProgress(name: string): void;
  onLie(name: string, weight: string): void;
}

export interface WeightsRequest {
  readonly models: string;
  readonly aside: string;
  readonly weights: readonly LockedWeight[];
  // How many bytes of weights that the lock does not need may stay in the cache. Null: as many as fit.
  readonly spareBytesMax: number | null;
}

export interface FilledWeights {
  readonly fetched: number;
  readonly fetchedBytes: number;
  readonly movedAside: readonly string[];
  readonly evictedBytes: number;
}

// Below this a weight comes from the server alone: sharing it would cost more than it saves.
const sharedBytesMin = 16 * 1024 * 1024;
const smallAtOnce = 8;
// Room that stays free, for the application's own files.
const reserveBytes = 256 * 1024 * 1024;

export async function fillWeights(deps: FillWeightsDeps, request: WeightsRequest): Promise<FilledWeights> {
  const { reporter, cache, signal } = deps;
  const { weights } = request;
  reporter.bytesTotal = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const lacking: LockedWeight[] = [];
  for (const weight of weights) {
    signal.throwIfAborted();
    deps.onProgress(weight.path);
    if (await isThere(deps, request, weight)) {
      reporter.has(weight.blake3);
      reporter.bytesDone += weight.bytes;
    } else lacking.push(weight);
  }
  // Two names may share bytes.
  const missing = [...new Map(lacking.map((weight) => [weight.blake3, weight])).values()];
  const wanted = new Set(weights.map(({ blake3 }) => blake3));
  const absent = [];
  for (const weight of missing) if (!(await isCached(deps, weight))) absent.push(weight);
  let evictedBytes = await makeRoom(deps, absent, wanted);
  await fetchAll(deps, absent);
  const movedAside: string[] = [];
  for (const weight of lacking) movedAside.push(...(await linkAtPath(deps, request, weight)));
  movedAside.push(...(await moveExtras(request)));
  await cache.use([...wanted], deps.now());
  const { spareBytesMax } = request;
  if (spareBytesMax !== null) evictedBytes += await cache.evict(wanted, (cached) => cached <= spareBytesMax);
  reporter.bytesDone = reporter.bytesTotal;
  return {
    fetched: absent.length,
    fetchedBytes: absent.reduce((sum, { bytes }) => sum + bytes, 0),
    movedAside,
    evictedBytes,
  };
}

// In its place with the right bytes. Such a file joins the cache, so that neighbours can have it and the next lock too.
async function isThere(deps: FillWeightsDeps, { models }: WeightsRequest, weight: LockedWeight): Promise<boolean> {
  const path = await placeInside(models, weight.path);
  const found = await lstat(path, { bigint: true }).catch(() => null);
  if (found === null || !found.isFile() || Number(found.size) !== weight.bytes) return false;
  const stamp = stampOf(found);
  const { blake3 } = await deps.hashing.hash({ path: weight.path, file: path, bytes: weight.bytes, stamp });
  if (blake3 !== weight.blake3) return false;
  await link(path, deps.cache.fileOf(blake3)).catch(() => undefined);
  return true;
}

async function isCached({ cache, hashing }: FillWeightsDeps, { blake3, bytes, path }: LockedWeight): Promise<boolean> {
  const file = cache.fileOf(blake3);
  const found = await lstat(file, { bigint: true }).catch(() => null);
  if (found === null) return false;
  const isRight =
    found.isFile() &&
    Number(found.size) === bytes &&
    (await hashing.hash({ path, file, bytes, stamp: stampOf(found) })).blake3 === blake3;
  if (!isRight) await unlink(file);
  return isRight;
}

const stampOf = ({ dev, ino, size, mtimeNs }: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint }) =>
  [dev, ino, size, mtimeNs].join(":");

// Before the first byte is fetched: a fill that cannot end should not begin.
async function makeRoom(
  deps: FillWeightsDeps,
  absent: readonly LockedWeight[],
  kept: ReadonlySet<string>,
): Promise<number> {
  let needed = absent.length === 0 ? 0 : reserveBytes;
  for (const { blake3, bytes } of absent) needed += bytes - (await deps.cache.arrivedBytes(blake3));
  const free = await deps.cache.freeBytes();
  if (free >= needed) return 0;
  const evicted = await deps.cache.evict(kept, (_, freed) => free + freed >= needed);
  const lack = needed - (await deps.cache.freeBytes());
  if (lack > 0)
    throw new FillProblem(
      `The disk has too little room: ${sizeText(needed)} are needed and ${sizeText(lack)} are missing. Nothing was fetched.`,
    );
  return evicted;
}

async function fetchAll(deps: FillWeightsDeps, absent: readonly LockedWeight[]): Promise<void> {
  const small = absent.filter(({ bytes }) => bytes < sharedBytesMin);
  const queue = [...small];
  const lane = async () => {
    for (let weight = queue.shift(); weight !== undefined; weight = queue.shift())
      await keep(deps, weight, await fetchOne(deps, weight, false));
  };
  await Promise.all(Array.from({ length: smallAtOnce }, lane));
  // While one is written to the disk for good, the next one comes.
  const kept: Promise<void>[] = [];
  try {
    for (const weight of absent) {
      if (weight.bytes < sharedBytesMin) continue;
      const keeping = keep(deps, weight, await fetchOne(deps, weight, true));
      keeping.catch(() => undefined);
      kept.push(keeping);
    }
  } finally {
    await Promise.allSettled(kept);
  }
  await Promise.all(kept);
}

// Every piece of it, still under the name of a part.
async function fetchOne(deps: FillWeightsDeps, weight: LockedWeight, isShared: boolean): Promise<PieceFile> {
  const { server, cache, reporter, workerId, arriving, signal } = deps;
  const { blake3, path } = weight;
  const base = `/api/workers/${workerId}/weights/${blake3}`;
  deps.onProgress(path);
  const onBytes = (bytes: number) => {
    reporter.bytesDone += bytes;
    deps.onProgress(path);
  };
  try {
    const said = await server.call({ method: "GET", path: asking(base, deps), totalMs: 60_000, signal });
    const pieces = readPieces(said, weight);
    if (pieces.sha256 !== weight.sha256) throw new FillProblem("The SHA-256 in the lock does not match its bytes.");
    const file = await openPieceFile(cache.partOf(blake3), pieces, { blake3: deps.blake3, signal, onFound: onBytes });
    try {
      arriving.set(blake3, file);
      reporter.has(blake3);
      const here = fileHere(said);
      if (here !== null) await copyHere(here, file, { signal, onBytes });
      if (file.missing === 0) return file;
      if (isShared) {
        reporter.want(blake3);
        await reporter.report().catch(() => undefined);
      }
      await fetchWeight(file, fetchDeps(deps, weight, { base, isShared, onBytes }), deps.liars);
      return file;
    } catch (thrown) {
      arriving.delete(blake3);
      await file.close();
      throw thrown;
    }
  } catch (thrown) {
    throw inWords(thrown, path);
  } finally {
    if (isShared) reporter.want(null);
  }
}

// Gives it its name once the whole is right and on the disk. Neighbours read it meanwhile.
async function keep(
  { cache, hashing, arriving }: FillWeightsDeps,
  { blake3, sha256, path }: LockedWeight,
  file: PieceFile,
): Promise<void> {
  try {
    await file.finish(cache.fileOf(blake3));
    const facts = await stat(cache.fileOf(blake3), { bigint: true });
    hashing.learn(stampOf(facts), { blake3, sha256 });
  } catch (thrown) {
    throw inWords(thrown, path);
  } finally {
    arriving.delete(blake3);
    await file.close();
  }
}

const asking = (base: string, { machine }: FillWeightsDeps) => (machine === null ? base : `${base}?machine=${machine}`);

function fileHere(said: unknown): string | null {
  const path: unknown = typeof said === "object" && said !== null ? Reflect.get(said, "file") : null;
  return typeof path === "string" ? path : null;
}

function fetchDeps(
  deps: FillWeightsDeps,
  weight: LockedWeight,
  { base, isShared, onBytes }: { readonly base: string; readonly isShared: boolean; onBytes(bytes: number): void },
): FetchDeps {
  const { server, reporter, workerId, signal } = deps;
  return {
    workerId,
    fromServer: async (from, bytes) => (await server.download(`${base}/content?from=${from}&bytes=${bytes}`)).stream,
    neighbours: () => (isShared ? reporter.neighbours().map((each) => deps.neighbours.at(each)) : []),
    onBytes,
    onLie(neighbour) {
      reporter.accuse(neighbour.workerId);
      deps.onLie(neighbour.name, weight.path);
    },
    sleep: deps.sleep,
    nowMs: deps.nowMs,
    isPassing: deps.isPassing,
    signal,
  };
}

function inWords(thrown: unknown, path: string): unknown {
  if (isFull(thrown))
    return new FillProblem(`The disk is full. Free some room and run this again; it goes on with ${path}.`);
  const status: unknown = typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, "status") : null;
  if (status === 404)
    return new FillProblem(`The server does not have ${path}. Bring it: atelier weights push <file> --as ${path}`);
  return thrown instanceof FillProblem ? new FillProblem(`${path}: ${thrown.message}`) : thrown;
}

// By a link, so that the cache keeps it too. On a disk without links the file itself moves.
async function linkAtPath(deps: FillWeightsDeps, request: WeightsRequest, weight: LockedWeight): Promise<string[]> {
  const path = await placeInside(request.models, weight.path);
  const isMoved = await moveAside(path, join(request.aside, weight.path));
  const cached = deps.cache.fileOf(weight.blake3);
  await link(cached, path).catch(async (thrown: unknown) => {
    const code: unknown = typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, "code") : null;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EMLINK") throw thrown;
    await rename(cached, path);
  });
  return isMoved ? [weight.path] : [];
}

async function moveExtras({ models, aside, weights }: WeightsRequest): Promise<string[]> {
  const named = new Set(weights.map(({ path }) => path));
  const moved: string[] = [];
  for (const { path } of await listWeights(models)) {
    if (named.has(path)) continue;
    const file = join(models, path);
    // Cached ones need not be kept twice.
    if ((await stat(file)).nlink > 1) await unlink(file);
    else if (await moveAside(file, join(aside, path))) moved.push(path);
  }
  return moved;
}

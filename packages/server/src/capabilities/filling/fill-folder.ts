// Makes an application's folder equal to a lock: packs, Python packages, weights. Each part is checked, and at the end the
// whole folder is compared with the lock; only then may it be used.
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import {
  compareLocks,
  differenceText,
  type EnvironmentLock,
  type Hasher,
  type Interpreter,
  makeLock,
  openHashing,
  writtenVersion,
} from "../environments/index.ts";
import { fillPacks, sweepPacks } from "./fill-packs.ts";
import { FillProblem } from "./fill-problem.ts";
import { fillPython } from "./fill-python.ts";
import type { ReporterDeps } from "./report-fill.ts";
import { createFillReporter, type FillReporter } from "./report-fill.ts";
import { type FilledWeights, fillWeights } from "./weights/fill-weights.ts";
import { openFinished } from "./weights/finished-weight.ts";
import { isUsableAddress, openNeighbours } from "./weights/neighbour.ts";
import type { PieceFile } from "./weights/piece-file.ts";
import { type Share, type SharedWeight, sharePieces } from "./weights/share-pieces.ts";
import { openWeightCache, type WeightCache } from "./weights/weight-cache.ts";

export interface FillRequest {
  readonly folder: string;
  readonly lock: EnvironmentLock;
  // Null leaves Python alone.
  readonly python: Interpreter | null;
  readonly wheels: string | null;
  readonly spareBytesMax: number | null;
  // Where neighbours reach us. Null: we share nothing.
  readonly shareAt: string | null;
  // Where hashes are remembered.
  readonly memory: string;
}

export interface FillDeps extends Pick<ReporterDeps, "server" | "background" | "workerId" | "poolId" | "name"> {
  readonly serverUrl: string;
  readonly serverIsHere: boolean;
  // The mark of this machine. Null fetches everything over the network.
  readonly machine: string | null;
  readonly clock: Clock;
  readonly blake3: () => Promise<Hasher>;
  readonly signal: AbortSignal;
  isPassing(thrown: unknown): boolean;
  onProgress(progress: { readonly name: string; readonly bytesDone: number; readonly bytesTotal: number }): void;
  onLie(neighbour: string, weight: string): void;
}

export interface Filled extends FilledWeights {
  readonly packs: readonly string[];
  readonly disabledPacks: readonly string[];
  readonly pythonPackages: number;
  readonly liars: readonly string[];
  readonly sentBytes: number;
}

export interface Filling {
  // Resolves when the folder equals the lock. Throws a FillProblem if it cannot.
  readonly filled: Promise<Filled>;
  // Ends sharing and reporting.
  close(): Promise<void>;
}

export async function startFilling(deps: FillDeps, request: FillRequest): Promise<Filling> {
  await requireApplication(request);
  const cache = await openWeightCache(join(request.folder, "models"));
  const arriving = new Map<string, PieceFile>();
  const stopping = new AbortController();
  const whole = { ...deps, signal: AbortSignal.any([deps.signal, stopping.signal]) };
  const counts = { sent: 0 };
  let reporter: FillReporter | null = null;
  const open = sharedWeights(cache, arriving);
  const share: Share | null =
    request.shareAt === null
      ? null
      : await sharePieces(request.shareAt, {
          find: open.find,
          met: (id) => reporter?.met(id),
          sent(bytes) {
            counts.sent += bytes;
          },
        });
  reporter = createFillReporter({ ...deps, share, isUsable: (url) => isUsableAddress(url, deps.serverIsHere) });
  const reporting = reporter.run(whole.signal);
  const filled = fill(whole, request, { cache, arriving, reporter, counts });
  filled.catch(() => undefined);
  return {
    filled,
    async close() {
      stopping.abort();
      await filled.catch(() => undefined);
      await reporting;
      await share?.close();
      await open.close();
    },
  };
}

async function requireApplication({ folder, lock }: FillRequest): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) throw new FillProblem(`There is no folder ${folder}.`);
  const version = await writtenVersion(folder);
  if (version !== null && version !== lock.application.version)
    throw new FillProblem(
      `The application is ${version}; the lock wants ${lock.application.version}. Update it first.`,
    );
}

interface Parts {
  readonly cache: WeightCache;
  readonly arriving: Map<string, PieceFile>;
  readonly reporter: FillReporter;
  readonly counts: { sent: number };
}

async function fill(deps: FillDeps, request: FillRequest, parts: Parts): Promise<Filled> {
  const { reporter } = parts;
  try {
    const filled = await fillParts(deps, request, parts);
    await requireEqual(deps, request);
    reporter.end("filled", null);
    return filled;
  } catch (thrown) {
    reporter.end(
      "failed",
      thrown instanceof FillProblem ? thrown.message : "It stopped unexpectedly; its log says why.",
    );
    // The last report: the process may end now.
    await reporter.report().catch(() => undefined);
    throw thrown;
  }
}

async function fillParts(deps: FillDeps, request: FillRequest, { cache, arriving, reporter, counts }: Parts) {
  const { folder, lock } = request;
  const onProgress = (name: string) =>
    deps.onProgress({ name, bytesDone: reporter.bytesDone, bytesTotal: reporter.bytesTotal });
  const hashing = await openHashing({ blake3: deps.blake3, memory: request.memory, signal: deps.signal });
  const neighbours = openNeighbours(deps);
  const liars = new Set<string>();
  try {
    const custom = join(folder, "custom_nodes");
    await mkdir(custom, { recursive: true });
    await sweepPacks(custom);
    const packs = await fillPacks({ ...deps, hashing, onProgress }, custom, lock.packs);
    const python =
      request.python === null || lock.python === null
        ? { installed: [], removed: [] }
        : await fillPython({ ...request, python: request.python, locked: lock.python });
    const { clock } = deps;
    const weights = await fillWeights(
      {
        ...deps,
        cache,
        hashing,
        neighbours,
        reporter,
        arriving,
        liars: new Set(),
        now: () => clock.now(),
        nowMs: () => clock.monotonicMs(),
        sleep: (ms, signal) => clock.sleep(ms, signal),
        onProgress,
        onLie(name, weight) {
          liars.add(name);
          deps.onLie(name, weight);
        },
      },
      {
        ...request,
        models: join(folder, "models"),
        aside: join(folder, "atelier-aside", "models"),
        weights: lock.weights,
      },
    );
    return {
      ...weights,
      packs: packs.installed,
      disabledPacks: packs.disabled,
      pythonPackages: python.installed.length + python.removed.length,
      liars: [...liars],
      sentBytes: counts.sent,
    };
  } finally {
    await hashing.close();
    await neighbours.close();
  }
}

// Only what is there now counts, no matter what happened before.
async function requireEqual(deps: FillDeps, { folder, lock, python, memory }: FillRequest): Promise<void> {
  const here = await makeLock({
    folder,
    weightFolders: [],
    python: lock.python === null ? null : python,
    running: { version: lock.application.version, classes: {}, arguments: [] },
    memory,
    blake3: deps.blake3,
    signal: deps.signal,
  });
  const drift = compareLocks(lock, { ...here, classes: null, arguments: null });
  if (drift.length > 0)
    throw new FillProblem(
      `The folder still differs from the lock. ${drift.slice(0, 5).map(differenceText).join("; ")}`,
    );
}

const openMax = 64;

type OpenWeight = Promise<SharedWeight & { close(): Promise<void> }>;

// Files of complete weights stay open for a while: a neighbour asks for many pieces of the same one.
function sharedWeights(cache: WeightCache, arriving: ReadonlyMap<string, PieceFile>) {
  const shut = (file: OpenWeight) => file.then((each) => each.close()).catch(() => undefined);
  const opened = new BoundedMap<string, OpenWeight>(openMax, { evicted: (_, file) => void shut(file) });
  return {
    async find(blake3: string): Promise<SharedWeight | null> {
      const coming = arriving.get(blake3);
      if (coming !== undefined) return coming;
      const known = opened.get(blake3) ?? openFinished(cache.fileOf(blake3), 1024 * 1024);
      opened.set(blake3, known);
      return known.catch(() => {
        opened.delete(blake3);
        return null;
      });
    },
    async close() {
      await Promise.all([...opened.values()].map(shut));
      opened.clear();
    },
  };
}

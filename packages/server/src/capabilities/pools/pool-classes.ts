// The node classes that a pool's workers can run, cached briefly. The parsed classes stay the same object while nothing
// changes, so derived data can be cached along with them.
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { readExactJson, writeExactJson } from "../../foundation/json/exact-json.ts";
import type { PoolId } from "../jobs/index.ts";
import type { NodeClassDescriptions } from "./environment.ts";
import { mergeDescriptions, modelsIn } from "./merge-descriptions.ts";
import { listEnvironments, readDescriptions } from "./pool-store.ts";

export interface PoolClasses {
  // By class, with integers beyond 2^53 as bigints, from the environments of all workers the pool has had within a day.
  // Frozen, and the same object while nothing changes.
  readonly descriptions: NodeClassDescriptions;
  // By the hexadecimal id of an environment: weight files that others in the pool have and it lacks.
  readonly modelsLacking: ReadonlyMap<string, ReadonlySet<string>>;
  // Each environment separately, because a graph runs entirely in one of them.
  readonly environments: readonly DescribedEnvironment[];
}

export interface DescribedEnvironment {
  // Hexadecimal.
  readonly id: string;
  readonly descriptions: NodeClassDescriptions;
}

interface Kept {
  readonly key: string;
  readonly classes: PoolClasses;
  readonly untilMs: number;
}

const knownSeconds = 86_400;
const freshMs = 1_000;
export const noClasses: PoolClasses = Object.freeze({
  descriptions: Object.freeze({}),
  modelsLacking: new Map(),
  environments: [],
});

const compress = promisify(gzip);
const expand = promisify(gunzip);

export class ClassesByPool {
  readonly #database: Queryable;
  readonly #clock: Clock;
  readonly #kept = new Map<PoolId, Kept>();
  readonly #reading = new Map<PoolId, Promise<PoolClasses>>();

  constructor(deps: { readonly database: Queryable; readonly clock: Clock }) {
    this.#database = deps.database;
    this.#clock = deps.clock;
  }

  // As last read. Null before the first read is done.
  last(poolId: PoolId): PoolClasses | null {
    return this.#kept.get(poolId)?.classes ?? null;
  }

  isFresh(poolId: PoolId): boolean {
    return (this.#kept.get(poolId)?.untilMs ?? Number.NEGATIVE_INFINITY) > this.#clock.monotonicMs();
  }

  // Concurrent callers share one read.
  read(poolId: PoolId): Promise<PoolClasses> {
    let read = this.#reading.get(poolId);
    if (!read) {
      read = this.#readOnce(poolId).finally(() => this.#reading.delete(poolId));
      this.#reading.set(poolId, read);
    }
    return read;
  }

  // Makes the next request read again.
  age(poolIds: Iterable<PoolId> = [...this.#kept.keys()]): void {
    for (const poolId of poolIds) {
      const known = this.#kept.get(poolId);
      if (known) this.#kept.set(poolId, { ...known, untilMs: Number.NEGATIVE_INFINITY });
    }
  }

  async #readOnce(poolId: PoolId): Promise<PoolClasses> {
    const ids = await listEnvironments(this.#database, poolId, knownSeconds);
    const key = ids.map((id) => id.toString("hex")).join(" ");
    const before = this.#kept.get(poolId);
    const classes = before?.key === key ? before.classes : await loadClasses(this.#database, ids);
    this.#kept.set(poolId, { key, classes, untilMs: this.#clock.monotonicMs() + freshMs });
    return classes;
  }
}

export function packDescriptions(descriptions: NodeClassDescriptions): Promise<Buffer> {
  return compress(Buffer.from(writeExactJson(descriptions)));
}

async function loadClasses(database: Queryable, ids: readonly Buffer[]): Promise<PoolClasses> {
  if (ids.length === 0) return noClasses;
  const stored = await readDescriptions(database, ids);
  const byId = new Map<string, NodeClassDescriptions>();
  for (const id of ids) {
    const packed = stored.get(id.toString("hex"));
    if (packed === undefined) continue;
    const parsed = readExactJson((await expand(packed)).toString("utf8"));
    if (typeof parsed === "object" && parsed !== null) byId.set(id.toString("hex"), { ...parsed });
  }
  return Object.freeze({
    descriptions: Object.freeze(mergeDescriptions([...byId.values()])),
    environments: Array.from(byId, ([id, descriptions]) => ({ id, descriptions })),
    modelsLacking: lackingOf(new Map([...byId].map(([id, descriptions]) => [id, modelsIn(descriptions)]))),
  });
}

function lackingOf(models: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Set([...models.values()].flatMap((each) => [...each]));
  return new Map([...models].map(([id, own]) => [id, new Set([...all].filter((name) => !own.has(name)))]));
}

// The hot reads as ready bytes: a node by its id, a page by its query. Only what everybody may see is kept here. A change
// drops the node and every page, in this process at once and in the others over the bus; a look at the database every two
// seconds finds what the bus lost. Counted installs move nothing: an answer is at most a minute old.
import type { Background } from "../../../foundation/background.ts";
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { BytesAnswer } from "../../../foundation/http/area.ts";
import { matchesIfNoneMatch, strongEtag } from "../../../foundation/http/etag.ts";
import type { Log } from "../../../foundation/log.ts";
import { findChanges } from "./node-store.ts";

export interface Prepared {
  // Of a node: its id as its publisher spells it.
  readonly spelling: string;
  readonly etag: string;
  readonly full: BytesAnswer;
  readonly notModified: BytesAnswer;
}

export interface PreparedAnswers {
  // What is remembered, or undefined. Nodes go by their folded ids.
  node(folded: string): Prepared | undefined;
  page(query: string): Prepared | undefined;
  // Remembered unless something changed since `beginning`.
  keepNode(folded: string, prepared: Prepared, beginning: number): void;
  keepPage(query: string, prepared: Prepared, beginning: number): void;
  // Counts the changes: what was read before a change must not be remembered after it.
  beginning(): number;
  nodesChanged(folded: readonly string[]): void;
  // Looks for changes of other processes until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface PreparedAnswersOptions {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Pick<Log, "warn" | "info">;
}

const topic = "registry nodes";
const ageMsMax = 60_000;
const lookEveryMs = 2_000;
// What was committed late has a moment before the last look.
const overlapMs = 10_000;
const nodesMax = 20_000;
const pageBytesMax = 64 * 1024 * 1024;
const namedAtOnce = 50;

interface Kept {
  readonly prepared: Prepared;
  readonly untilMs: number;
  readonly bytes: number;
}

export function prepare(value: unknown, spelling = ""): Prepared {
  const body = Buffer.from(JSON.stringify(value));
  const etag = strongEtag(body);
  const headers = { etag, "cache-control": "public, no-cache" };
  return {
    spelling,
    etag,
    full: { status: 200, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body },
    notModified: { status: 304, headers },
  };
}

export function answerPrepared(prepared: Prepared, held: string | undefined): BytesAnswer {
  return held !== undefined && matchesIfNoneMatch(held, prepared.etag) ? prepared.notModified : prepared.full;
}

export function createPreparedAnswers(options: PreparedAnswersOptions): PreparedAnswers {
  const { clock, bus } = options;
  const nodes = new Map<string, Kept>();
  const pages = new Map<string, Kept>();
  let pageBytes = 0;
  let changes = 0;

  function find(from: Map<string, Kept>, key: string): Prepared | undefined {
    const kept = from.get(key);
    return kept === undefined || kept.untilMs <= clock.monotonicMs() ? undefined : kept.prepared;
  }

  function keep(into: Map<string, Kept>, key: string, prepared: Prepared): number {
    const bytes = prepared.full.body instanceof Uint8Array ? prepared.full.body.byteLength : 0;
    const before = into.get(key)?.bytes ?? 0;
    into.delete(key);
    into.set(key, { prepared, bytes, untilMs: clock.monotonicMs() + ageMsMax });
    return bytes - before;
  }

  function forgetOldest(from: Map<string, Kept>): number {
    const [key, kept] = from.entries().next().value ?? [];
    if (key === undefined) return 0;
    from.delete(key);
    return kept?.bytes ?? 0;
  }

  function forget(folded: readonly string[] | null): void {
    changes += 1;
    pages.clear();
    pageBytes = 0;
    if (folded === null) nodes.clear();
    else for (const id of folded) nodes.delete(id);
  }

  const leave = bus.subscribe(topic, (message) => {
    const isList = Array.isArray(message) && message.every((one) => typeof one === "string");
    forget(isList ? message : null);
  });

  return {
    node: (folded) => find(nodes, folded),
    page: (query) => find(pages, query),
    beginning: () => changes,
    keepNode(folded, prepared, beginning) {
      if (beginning !== changes) return;
      keep(nodes, folded, prepared);
      if (nodes.size > nodesMax) forgetOldest(nodes);
    },
    keepPage(query, prepared, beginning) {
      if (beginning !== changes) return;
      pageBytes += keep(pages, query, prepared);
      while (pageBytes > pageBytesMax) pageBytes -= forgetOldest(pages);
    },
    nodesChanged(folded) {
      if (folded.length === 0) return;
      const named = folded.length <= namedAtOnce ? folded : null;
      forget(named);
      bus.publish(topic, named);
    },
    run(background, signal) {
      const work = { name: "registry: forget changed answers", everyMs: lookEveryMs, round: lookFor(options, forget) };
      return background.run(work, signal);
    },
    close: leave,
  };
}

function lookFor({ database }: PreparedAnswersOptions, forget: (folded: readonly string[] | null) => void) {
  let since: Date | null = null;
  let told = new Set<string>();
  return async () => {
    const { until, changed } = await findChanges(database, since);
    const fresh = changed.filter(({ folded, stamp }) => !told.has(`${folded} ${stamp}`));
    if (fresh.length > 0) forget(fresh.map(({ folded }) => folded));
    // Within the overlap the same change is found again and again; it is told once.
    told = new Set(changed.map(({ folded, stamp }) => `${folded} ${stamp}`));
    since = new Date(until.getTime() - overlapMs);
  };
}

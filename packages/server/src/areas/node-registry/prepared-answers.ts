// The hot reads as prepared bytes: a node by its id, a page by its query. Only what everyone may see is kept here. A change
// drops the node and every page. Counting an install drops nothing: an answer is at most a minute old.
import { type Answered, nobody, type Reader, type Registry } from "../../capabilities/registry/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { BytesAnswer } from "../../foundation/http/area.ts";
import { matchesIfNoneMatch, strongEtag } from "../../foundation/http/etag.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";

export interface Prepared {
  // For a node: its id as its publisher spells it.
  readonly spelling: string;
  readonly etag: string;
  readonly full: BytesAnswer;
  readonly notModified: BytesAnswer;
}

export interface PreparedAnswers {
  // The prepared answer, or undefined. Nodes are looked up by their folded ids.
  node(folded: string): Prepared | undefined;
  page(query: string): Prepared | undefined;
  // Stored unless something changed since `beginning`.
  keepNode(folded: string, prepared: Prepared, beginning: number): void;
  keepPage(query: string, prepared: Prepared, beginning: number): void;
  // Counts changes: what was read before a change must not be stored after it.
  beginning(): number;
}

export interface PreparedAnswersDeps {
  readonly clock: Clock;
  readonly changes: Pick<Registry["reading"], "onChange">;
}

const ageMsMax = 60_000;
const nodesMax = 20_000;
const pageBytesMax = 64 * 1024 * 1024;

export function prepare(value: unknown, spelling = ""): Prepared {
  return prepareBytes(Buffer.from(JSON.stringify(value)), spelling);
}

function prepareBytes(body: Buffer, spelling = ""): Prepared {
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

// The answer of a registry read. Shared caches must not keep what our own credential opened; what the upstream said is public.
export function answerRead(answer: Answered<unknown>, reader: Reader, held: string | undefined): BytesAnswer {
  if (answer.kind === "upstream") return answerPrepared(prepareBytes(answer.body), held);
  const prepared = answerPrepared(prepare(answer.value), held);
  if (reader === nobody) return prepared;
  return { ...prepared, headers: { ...prepared.headers, "cache-control": "private, no-cache" } };
}

export function createPreparedAnswers({ clock, changes }: PreparedAnswersDeps): PreparedAnswers {
  const nodes = new TtlCache<string, Prepared>({ clock, keepMs: ageMsMax, entriesMax: nodesMax });
  const pages = new TtlCache<string, Prepared>({
    clock,
    keepMs: ageMsMax,
    entriesMax: Number.POSITIVE_INFINITY,
    bytesMax: pageBytesMax,
    bytesOf: ({ full }) => (full.body instanceof Uint8Array ? full.body.byteLength : 0),
  });
  let changed = 0;

  function forget(folded: readonly string[] | null): void {
    changed += 1;
    pages.clear();
    if (folded === null) nodes.clear();
    else for (const id of folded) nodes.delete(id);
  }

  changes.onChange(forget);
  return {
    node: (folded) => nodes.get(folded),
    page: (query) => pages.get(query),
    beginning: () => changed,
    keepNode(folded, prepared, beginning) {
      if (beginning === changed) nodes.set(folded, prepared);
    },
    keepPage(query, prepared, beginning) {
      if (beginning === changed) pages.set(query, prepared);
    },
  };
}

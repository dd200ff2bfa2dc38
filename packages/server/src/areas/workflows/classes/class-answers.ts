// The answers of the node-class routes, built once and kept as bytes with their ETags until the classes or the run policy
// change. A page is also dropped before its cursor is too old to be handed out again.

import type { DescribedClasses, Graphs, NodePolicy } from "../../../capabilities/graphs/index.ts";
import type { PoolId } from "../../../capabilities/jobs/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { Fault } from "../../../foundation/fault.ts";
import { refuseCursor } from "../../../foundation/http/page-query.ts";
import { type PreparedAnswers, plainAnswers, prepareAnswers } from "../../../foundation/http/prepared-answers.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { nextTurn } from "../../../foundation/json/large-json.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import { pageLinks } from "../links.ts";
import type { Surface } from "../surface.ts";
import {
  type ClassFilter,
  type ClassIndex,
  classIndex,
  type IndexedClass,
  positionOf,
  startAfter,
} from "./class-index.ts";
import { presentNodeClass } from "./present-node-class.ts";

export interface ClassAnswersDeps {
  readonly surface: Pick<Surface, "mountPath" | "poolId">;
  readonly graphs: Pick<Graphs, "ready" | "classes" | "fileInputs">;
  readonly policy: NodePolicy;
  readonly cursors: Cursors;
  readonly clock: Clock;
  // The badges of priced classes, as JSON, for maps in the application's shape; the same map while nothing changes. If absent,
  // no class has one.
  readonly badges?: () => ReadonlyMap<string, string>;
  // Changes a description in the application's shape before it is written. If absent, it is written as it is.
  readonly redescribe?: (name: string, description: unknown) => unknown;
}

export type ClassFormat = "ours" | "object_info";

export interface AskedPage {
  readonly filter: ClassFilter;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface ClassAnswers {
  page(asked: AskedPage): Promise<PreparedAnswers>;
  // All matches in one map, in the application's shape.
  objectInfo(filter: ClassFilter): Promise<PreparedAnswers>;
  // Throws not_found.
  one(name: string, format: ClassFormat): Promise<PreparedAnswers>;
}

// What all current answers are built from.
interface Known {
  readonly classes: DescribedClasses;
  readonly names: readonly string[];
  readonly refused: readonly string[];
  readonly badges: ReadonlyMap<string, string>;
  readonly index: ClassIndex;
  readonly prepared: TtlCache<string, PreparedAnswers>;
}

// The cursor in a page stays the same text for an hour, so that the page's ETag can be computed from its bytes.
const cursorStepSeconds = 3_600;
const keepMs = 1_800_000;
const entriesMax = 5_000;
const bytesMax = 64 * 1024 * 1024;
const headers = { cacheControl: "private, no-cache", vary: "X-API-Key, Authorization, Accept-Encoding" };
const classesPerTurn = 50;

export function createClassAnswers(deps: ClassAnswersDeps): ClassAnswers {
  let known: Known | null = null;

  async function knownNow(): Promise<Known> {
    await deps.graphs.ready?.();
    const classes = deps.graphs.classes();
    const names = known?.classes === classes ? known.names : [...classes.descriptions.keys()];
    const refused = await deps.policy.refused({ classes: names });
    const badges = deps.badges?.() ?? noBadges;
    const isSame = known?.classes === classes && known.badges === badges && isEqual(known.refused, refused);
    if (!isSame || known === null) {
      const leftOut = new Set(refused);
      const index = classIndex(classes.descriptions, (name) => leftOut.has(name));
      known = { classes, names, refused, badges, index, prepared: createCache(deps.clock) };
    }
    return known;
  }

  return {
    async page(asked) {
      const now = await knownNow();
      const { filter, limit, cursor } = asked;
      const key = `page ${limit} ${JSON.stringify([filter.q, filter.category, cursor])}`;
      return now.prepared.getOrLoad(key, async () => {
        const body = Buffer.from(writeExactJson(pageOf(deps, now, asked)));
        return filter.q === "" ? prepareAnswers(body, headers) : plainAnswers(body, headers);
      });
    },
    async objectInfo(filter) {
      const now = await knownNow();
      const key = `info ${JSON.stringify([filter.q, filter.category])}`;
      return now.prepared.getOrLoad(key, async () => {
        const found = now.index.search(filter).map(({ entry }) => entry);
        return prepareAnswers(Buffer.from(await objectInfoText(deps, found, now.badges)), headers);
      });
    },
    async one(name, format) {
      const now = await knownNow();
      const entry = now.index.find(name);
      if (entry === undefined) throw new Fault("not_found", "There is no such node class here.");
      return now.prepared.getOrLoad(`one ${format} ${name}`, async () =>
        format === "ours"
          ? preparedJson(presented(deps, now, entry))
          : prepareAnswers(Buffer.from(await objectInfoText(deps, [entry], now.badges)), headers),
      );
    },
  };
}

function createCache(clock: Clock): TtlCache<string, PreparedAnswers> {
  const size = ({ full: { body } }: PreparedAnswers["identity"]) => (body instanceof Uint8Array ? body.byteLength : 0);
  const bytesOf = ({ identity, gzip, br }: PreparedAnswers) => size(identity) + size(gzip) + size(br);
  return new TtlCache({ clock, keepMs, entriesMax, bytesMax, bytesOf });
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((name, at) => name === other[at]));
}

const preparedJson = (value: object) => prepareAnswers(Buffer.from(writeExactJson(value)), headers);

function presented({ graphs }: ClassAnswersDeps, { classes }: Known, { name, description }: IndexedClass) {
  const location = classes.locationOf(name);
  return presentNodeClass({
    name,
    description,
    location,
    fileInputs: graphs.fileInputs(name),
  });
}

function pageOf(deps: ClassAnswersDeps, now: Known, { filter, limit, cursor }: AskedPage): object {
  const purpose = purposeOf(deps.surface.poolId, filter);
  const position = cursor === null ? null : deps.cursors.read(purpose, cursor);
  if (cursor !== null && position === null) throw refuseCursor();
  const found = now.index.search(filter);
  const start = position === null ? 0 : startAfter(found, position);
  const page = found.slice(start, start + limit);
  const last = start + limit < found.length ? page.at(-1) : undefined;
  const next = last === undefined ? null : deps.cursors.issue(purpose, positionOf(last), cursorStepSeconds);
  return {
    data: page.map(({ entry }) => presented(deps, now, entry)),
    limit,
    ...pageLinks("node-classes", deps.surface.mountPath, queryOf(filter, limit), next),
  };
}

function queryOf({ q, category }: ClassFilter, limit: number): URLSearchParams {
  const asked = { ...(q === "" ? {} : { q }), ...(category === "" ? {} : { category }) };
  return new URLSearchParams({ ...asked, limit: String(limit) });
}

const purposeOf = (poolId: PoolId, { q, category }: ClassFilter) =>
  `listNodeClasses ${poolId} ${JSON.stringify([q, category])}`;

// Written class by class, a few per turn of the event loop: all of them may be megabytes.
async function objectInfoText(
  { redescribe = (_, description) => description }: Pick<ClassAnswersDeps, "redescribe">,
  entries: readonly IndexedClass[],
  badges: ReadonlyMap<string, string>,
): Promise<string> {
  const texts: string[] = [];
  for (const [at, { name, description }] of entries.entries()) {
    if (at % classesPerTurn === classesPerTurn - 1) await nextTurn();
    texts.push(`${JSON.stringify(name)}:${priced(redescribe(name, description), badges.get(name))}`);
  }
  return `{${texts.join(",")}}`;
}

const noBadges: ReadonlyMap<string, string> = new Map();

// As the application describes a class that costs something.
function priced(description: unknown, badge: string | undefined): string {
  if (badge === undefined || !isRecord(description)) return writeExactJson(description);
  return writeExactJson({ ...description, api_node: true, price_badge: JSON.parse(badge) });
}

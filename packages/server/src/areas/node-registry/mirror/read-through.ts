// What is asked about a node that is not ours is read through from the upstream registry and kept: fresh for some minutes,
// then asked about again with its ETag, and served as it is while upstream is away.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { BytesAnswer, Incoming, Route } from "../../../foundation/http/area.ts";
import { matchesIfNoneMatch, strongEtag } from "../../../foundation/http/etag.ts";
import { newId } from "../../../foundation/ids.ts";
import { isNodeId } from "../nodes/node-authority.ts";
import { newFields } from "../nodes/node-fields.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { searchDocument } from "../search/search-words.ts";
import {
  findOrigin,
  findUpstreamAnswer,
  putUpstreamAnswer,
  putUpstreamNode,
  type UpstreamAnswer,
} from "./mirror-store.ts";
import { upstreamNode } from "./upstream-node.ts";
import type { UpstreamRegistry } from "./upstream-registry.ts";

export interface ReadThroughDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly upstream: UpstreamRegistry;
  readonly freshSeconds: number;
  nodesChanged(folded: readonly string[]): void;
}

export interface ReadThrough {
  // A route below a node's path: ours answer for our nodes, upstream for all others.
  ofNode(route: Route<undefined>): Route<undefined>;
  // A route that upstream may know an answer to where we know none.
  whereUnknown(route: Route<undefined>): Route<undefined>;
  // A node itself: brought here, then answered as one of ours.
  bringing(route: Route<undefined>): Route<undefined>;
}

export function createReadThrough(deps: ReadThroughDeps): ReadThrough {
  return {
    ofNode: (route) => ({
      ...route,
      async handle(incoming) {
        const nodeId = incoming.params["nodeId"] ?? "";
        const isOurs = !isNodeId(nodeId) || (await findOrigin(deps.database, foldedNodeId(nodeId))) === "own";
        return (isOurs ? null : await answerThrough(deps, incoming)) ?? route.handle(incoming);
      },
    }),
    whereUnknown: (route) => ({
      ...route,
      handle: (incoming) => orElse(route, incoming, () => answerThrough(deps, incoming)),
    }),
    bringing: (route) => ({
      ...route,
      handle: (incoming) =>
        orElse(route, incoming, async () => {
          const isHere = await bringNode(deps, incoming.params["nodeId"] ?? "");
          return isHere ? route.handle(incoming) : null;
        }),
    }),
  };
}

type Asking = Incoming<undefined>;
type Handled = ReturnType<Route<undefined>["handle"]>;

// What is in memory is answered in the same turn, mirror or not.
function orElse(route: Route<undefined>, incoming: Asking, otherwise: () => Promise<Awaited<Handled> | null>): Handled {
  const handled = route.handle(incoming);
  if (!(handled instanceof Promise)) return handled;
  return handled.catch(async (thrown: unknown) => {
    if (!(thrown instanceof Fault) || thrown.code !== "not_found") throw thrown;
    const found = await otherwise();
    if (found === null) throw thrown;
    return found;
  });
}

async function bringNode(deps: ReadThroughDeps, nodeId: string): Promise<boolean> {
  // One that stands here and is not shown is deleted or private: no reason to ask anybody else.
  if (!isNodeId(nodeId) || (await findOrigin(deps.database, foldedNodeId(nodeId))) !== null) return false;
  let answer = await readThrough(deps, `/nodes/${nodeId}`);
  const spelling = answer?.status === 302 ? /\/nodes\/([A-Za-z0-9._-]+)$/.exec(answer.body.toString())?.[1] : undefined;
  if (spelling !== undefined && foldedNodeId(spelling) === foldedNodeId(nodeId)) {
    answer = await readThrough(deps, `/nodes/${spelling}`);
  }
  const node = answer?.status === 200 ? upstreamNode(parsed(answer.body)) : null;
  if (node === null || foldedNodeId(node.id) !== foldedNodeId(nodeId)) return false;
  const search = searchDocument({ nodeId: node.id, publisherId: node.publisher?.id ?? null, fields: newFields(node) });
  await deps.database.transaction((tx) => putUpstreamNode(tx, { id: newId<"node">(), node, search }));
  deps.nodesChanged([foldedNodeId(node.id)]);
  return true;
}

async function answerThrough(deps: ReadThroughDeps, { path, queryText, headers }: Asking): Promise<BytesAnswer | null> {
  const target = queryText === "" ? path : `${path}?${queryText}`;
  // Dots that a URL parser would climb on, in any spelling, are nobody's version or class.
  if (target.length > 1_500 || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return null;
  const answer = await readThrough(deps, target);
  if (answer === null || answer.status === 404) return null;
  if (answer.status === 403) throw new Fault("forbidden", "The upstream registry does not offer this.");
  if (answer.status !== 200) return null;
  const etag = strongEtag(answer.body);
  const kept = { etag, "cache-control": "public, no-cache" };
  if (matchesIfNoneMatch(headers["if-none-match"], etag)) return { status: 304, headers: kept };
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8", ...kept }, body: answer.body };
}

// Null when upstream said something unreadable. When it is away and nothing is known, any answer would be a guess.
async function readThrough(deps: ReadThroughDeps, path: string): Promise<UpstreamAnswer | null> {
  const { database, clock, upstream } = deps;
  const known = await findUpstreamAnswer(database, path);
  const now = clock.now();
  if (known !== null && now.getTime() - known.readAt.getTime() < deps.freshSeconds * 1000) return known;
  const reply = await upstream.get(path, known?.etag ?? null);
  if (reply.kind === "away") {
    if (known !== null) return known;
    throw new Fault("service_unavailable", "The upstream registry does not answer.", { retryAfterSeconds: 10 });
  }
  if (reply.status === 304 && known !== null) {
    await putUpstreamAnswer(database, path, { ...known, readAt: now });
    return known;
  }
  const isJson = reply.status !== 200 || parsed(reply.body) !== undefined;
  if (!isJson) return null;
  // Of a redirect only its target matters.
  const body = reply.status === 302 ? Buffer.from(reply.location ?? "") : reply.body;
  const answer = { status: reply.status, etag: reply.etag, body, readAt: now };
  await putUpstreamAnswer(database, path, answer);
  return answer;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

// Mirror mode: keeps the upstream registry's nodes among ours, so that lists and searches show both and keep working
// while upstream is down. Uses plain paged list calls, which every registry of this kind has; after the first run it
// reads only changes. A change may be read twice but is never missed, because each run starts a little before the last
// one.

import { limits } from "@atelier/contract";
import type { Background } from "../../../foundation/background.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import { memberIn } from "../fields/bad-fields.ts";
import { newFields } from "../nodes/node-fields.ts";
import { searchDocument } from "../nodes/search-words.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import type { ChangeDeps } from "../readers/actor.ts";
import { findSyncedTo, forgetUpstreamAnswers, putSyncedTo, putUpstreamNode } from "./mirror-store.ts";
import { upstreamNode } from "./upstream-node.ts";
import type { UpstreamRegistry } from "./upstream-registry.ts";

export interface FollowDeps extends Omit<ChangeDeps, "audit"> {
  readonly log: Pick<Log, "warn" | "info">;
  readonly upstream: UpstreamRegistry;
  readonly everySeconds: number;
}

const overlapMs = 60_000;
const pagesMax = 100_000;
const answersKeptMax = 50_000;
const answersKeptMs = 30 * 24 * 3_600_000;

export function followUpstream(deps: FollowDeps, background: Background, signal: AbortSignal): Promise<void> {
  const { clock, log, database } = deps;
  // While upstream is down we keep serving what we have.
  const round = async (stopping: AbortSignal) => {
    const changed = await syncOnce(deps, stopping);
    if (changed > 0) log.info({ nodes: changed }, "nodes of the upstream registry changed");
    await forgetUpstreamAnswers(database, new Date(clock.now().getTime() - answersKeptMs), answersKeptMax);
  };
  const everyMs = deps.everySeconds * 1000;
  return background.run({ name: "registry: follow upstream", role: "background", everyMs, round }, signal);
}

// Returns how many nodes changed for readers.
async function syncOnce(deps: FollowDeps, signal: AbortSignal): Promise<number> {
  const { database, upstream } = deps;
  const syncedTo = await findSyncedTo(database, upstream.url);
  const since = syncedTo && new Date(syncedTo.getTime() - overlapMs).toISOString();
  let changed = 0;
  let began: Date | null = null;
  for (let page = 1; page <= pagesMax && !signal.aborted; page++) {
    const read = await readPage(upstream, page, since);
    began ??= read.date;
    changed += await storeNodes(deps, read.nodes);
    if (page >= read.totalPages) {
      if (began !== null) await putSyncedTo(database, upstream.url, began);
      return changed;
    }
  }
  return changed;
}

async function readPage(upstream: UpstreamRegistry, page: number, since: string | null) {
  const query = new URLSearchParams({ page: String(page), limit: String(limits.registryPageSizeMax) });
  query.set("include_banned", "true");
  if (since !== null) query.set("timestamp", since);
  const reply = await upstream.get(`/nodes?${query}`);
  if (reply.kind === "away" || reply.status !== 200) {
    throw new Error(`The upstream registry said ${reply.kind === "away" ? reply.why : reply.status} to page ${page}.`);
  }
  const body: unknown = JSON.parse(reply.body.toString());
  const nodes: unknown = memberIn(body, "nodes");
  const totalPages = memberIn(body, "totalPages");
  if (!Array.isArray(nodes)) throw new Error("The upstream registry's page has no nodes.");
  const read: readonly unknown[] = nodes;
  return { nodes: read, totalPages: typeof totalPages === "number" ? totalPages : page, date: reply.date };
}

async function storeNodes({ database, nodesChanged }: FollowDeps, read: readonly unknown[]): Promise<number> {
  const changed: string[] = [];
  await database.transaction(async (tx) => {
    for (const one of read) {
      const node = upstreamNode(one);
      if (node === null) continue;
      const search = searchDocument({
        nodeId: node.id,
        publisherId: node.publisher?.id ?? null,
        fields: newFields(node),
      });
      if (await putUpstreamNode(tx, { id: newId<"node">(), node, search })) changed.push(foldedNodeId(node.id));
    }
  });
  await nodesChanged(changed);
  return changed.length;
}

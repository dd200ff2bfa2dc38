// What is asked about a node that is not ours is read through from the upstream registry, and kept (known-answer.ts). Where
// archives are copied, every address of one is led here.
import type { NodeVersion } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { type BytesAnswer, type Incoming, jsonAnswer, type Route } from "../../../foundation/http/area.ts";
import { matchesIfNoneMatch, strongEtag } from "../../../foundation/http/etag.ts";
import { newId } from "../../../foundation/ids.ts";
import { isNodeId } from "../nodes/node-authority.ts";
import { newFields } from "../nodes/node-fields.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { RegistryQuery } from "../registry-query.ts";
import { searchDocument } from "../search/search-words.ts";
import { noInstallableVersion, noSuchVersion, requireInstallable } from "../versions/install-node.ts";
import type { ArchiveCopies } from "./archive-copies.ts";
import { type KnownAnswerDeps, knownAnswer, parsedAnswer } from "./known-answer.ts";
import { findStanding, putUpstreamNode, type UpstreamStanding } from "./mirror-store.ts";
import type { MirroredAddresses } from "./mirrored-addresses.ts";
import { upstreamNode } from "./upstream-node.ts";
import { requireOffered, versionOfUpstream } from "./upstream-standing.ts";

export interface ReadThroughDeps extends KnownAnswerDeps {
  nodesChanged(folded: readonly string[]): void;
  readonly installable: readonly string[];
  // Null: archives stay where upstream keeps them.
  readonly copying: { readonly copies: Pick<ArchiveCopies, "want">; readonly addresses: MirroredAddresses } | null;
}

export interface ReadThrough {
  // A route below a node's path: ours answer for our nodes, upstream for all others.
  ofNode(route: Route<undefined>): Route<undefined>;
  // Installing: by the same rules as one of ours, and without a word to upstream, which would count it.
  installing(route: Route<undefined>): Route<undefined>;
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
        const standing = await standingOf(deps, incoming);
        if (standing === "own") return route.handle(incoming);
        if (standing !== null) requireOffered(standing);
        return (await answerThrough(deps, incoming)) ?? route.handle(incoming);
      },
    }),
    installing: (route) => ({
      ...route,
      async handle(incoming) {
        const standing = await standingOf(deps, incoming, { isBrought: true });
        if (standing === "own" || standing === null) return route.handle(incoming);
        requireOffered(standing);
        return answerInstall(deps, standing, incoming);
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

async function standingOf(
  deps: ReadThroughDeps,
  { params }: Asking,
  { isBrought } = { isBrought: false },
): Promise<"own" | UpstreamStanding | null> {
  const nodeId = params["nodeId"] ?? "";
  if (!isNodeId(nodeId)) return "own";
  const standing = await findStanding(deps.database, foldedNodeId(nodeId));
  if (standing !== null || !isBrought) return standing;
  return (await bringNode(deps, nodeId)) ? findStanding(deps.database, foldedNodeId(nodeId)) : null;
}

async function bringNode(deps: ReadThroughDeps, nodeId: string): Promise<boolean> {
  // One that stands here and is not shown is deleted or private: no reason to ask anybody else.
  if (!isNodeId(nodeId) || (await findStanding(deps.database, foldedNodeId(nodeId))) !== null) return false;
  let answer = await knownAnswer(deps, `/nodes/${nodeId}`);
  const spelling = answer?.status === 302 ? /\/nodes\/([A-Za-z0-9._-]+)$/.exec(answer.body.toString())?.[1] : undefined;
  if (spelling !== undefined && foldedNodeId(spelling) === foldedNodeId(nodeId)) {
    answer = await knownAnswer(deps, `/nodes/${spelling}`);
  }
  const node = answer?.status === 200 ? upstreamNode(parsedAnswer(answer.body)) : null;
  if (node === null || foldedNodeId(node.id) !== foldedNodeId(nodeId)) return false;
  const search = searchDocument({ nodeId: node.id, publisherId: node.publisher?.id ?? null, fields: newFields(node) });
  await deps.database.transaction((tx) => putUpstreamNode(tx, { id: newId<"node">(), node, search }));
  deps.nodesChanged([foldedNodeId(node.id)]);
  return true;
}

async function answerInstall(deps: ReadThroughDeps, standing: UpstreamStanding, incoming: Asking) {
  const query = new RegistryQuery(incoming.query);
  const number = query.readVersion("version") ?? null;
  query.requireNoProblem();
  const version = await versionOfUpstream(deps, standing, number);
  if (version === null) throw number === null ? noInstallableVersion() : noSuchVersion();
  requireInstallable(version, deps.installable);
  if (incoming.method !== "HEAD") deps.copying?.copies.want(version);
  return jsonAnswer(200, shownHere(deps, version), { "cache-control": "no-store" });
}

function shownHere({ copying }: ReadThroughDeps, version: NodeVersion): NodeVersion {
  return copying === null ? version : { ...version, downloadUrl: copying.addresses.of(version) };
}

async function answerThrough(deps: ReadThroughDeps, { path, queryText, headers }: Asking): Promise<BytesAnswer | null> {
  const target = queryText === "" ? path : `${path}?${queryText}`;
  // Dots that a URL parser would climb on, in any spelling, are nobody's version or class.
  if (target.length > 1_500 || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return null;
  const answer = await knownAnswer(deps, target);
  if (answer === null || answer.status === 404) return null;
  if (answer.status === 403) throw new Fault("forbidden", "The upstream registry does not offer this.");
  if (answer.status !== 200) return null;
  const body = ledHere(deps, answer.body);
  const etag = strongEtag(body);
  const kept = { etag, "cache-control": "public, no-cache" };
  if (matchesIfNoneMatch(headers["if-none-match"], etag)) return { status: 304, headers: kept };
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8", ...kept }, body };
}

function ledHere({ copying }: ReadThroughDeps, body: Buffer): Buffer {
  if (copying === null || !body.includes('"downloadUrl"')) return body;
  return Buffer.from(JSON.stringify(copying.addresses.within(parsedAnswer(body))));
}

// The reader of a registry that mirrors another. Our own reader answers for our nodes. Questions about all others are
// passed to the upstream registry and the answers cached (known-answer.ts). An upstream node is copied into our tables
// first and then read like one of ours. If archives are copied too, every archive address points here.
import type { BulkNodeVersions, NodeVersion } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { normalizeVersion } from "../checks/manifest.ts";
import { isNodeId } from "../nodes/node-authority.ts";
import { newFields } from "../nodes/node-fields.ts";
import { searchDocument } from "../nodes/search-words.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import type { Answered, RegistryReader, Target } from "../reading/registry-reader.ts";
import {
  type AskedInstall,
  noInstallableVersion,
  noSuchVersion,
  requireInstallable,
} from "../versions/install-node.ts";
import type { ArchiveCopies } from "./archive-copies.ts";
import { type KnownAnswerDeps, knownAnswer } from "./known-answer.ts";
import { findUpstreamState, putUpstreamNode, type UpstreamState } from "./mirror-store.ts";
import type { MirroredAddresses } from "./mirrored-addresses.ts";
import { mirroredArchive, mirroredVersion } from "./mirrored-archive.ts";
import { upstreamNode } from "./upstream-node.ts";
import { findUpstreamVersion, requireOffered } from "./upstream-state.ts";

export interface MirrorReaderDeps extends KnownAnswerDeps {
  nodesChanged(folded: readonly string[]): Promise<void>;
  readonly installable: readonly string[];
  // Null if archives stay at upstream.
  readonly copying: {
    readonly copies: Pick<ArchiveCopies, "want" | "have">;
    readonly addresses: MirroredAddresses;
  } | null;
}

export function createMirrorReader(deps: MirrorReaderDeps, own: RegistryReader): RegistryReader {
  const { copying } = deps;
  // Our reader answers for our nodes, upstream for all others.
  async function ofNode<Value>(
    asked: Target & { readonly nodeId: string },
    ask: () => Promise<Answered<Value>>,
  ): Promise<Answered<Value>> {
    const state = await upstreamStateOf(deps, asked.nodeId);
    if (state === "own") return ask();
    if (state !== null) requireOffered(state);
    return (await askUpstream(deps, asked)) ?? ask();
  }
  return {
    node: (asked) =>
      orElse(
        () => own.node(asked),
        async () => ((await bringNode(deps, asked.nodeId)) ? own.node(asked) : null),
      ),
    findNodeByClass: (asked) =>
      orElse(
        () => own.findNodeByClass(asked),
        () => askUpstream(deps, asked),
      ),
    listVersions: (asked) => ofNode(asked, () => own.listVersions(asked)),
    version: (asked) => ofNode(asked, () => own.version(asked)),
    listDescriptors: (asked) => ofNode(asked, () => own.listDescriptors(asked)),
    descriptor: (asked) => ofNode(asked, () => own.descriptor(asked)),
    versionsInBulk: async (wanted, reader) => withUpstream(deps, await own.versionsInBulk(wanted, reader)),
    // Same rules as for our own nodes. We do not call upstream's install, because that would count it.
    async install(asked) {
      const state = (await upstreamStateOf(deps, asked.nodeId)) ?? (await stateOfBrought(deps, asked.nodeId));
      return state === "own" || state === null ? own.install(asked) : installOf(deps, state, asked);
    },
    archive: (asked) =>
      orElse(
        () => own.archive(asked),
        async () => copying && mirroredArchive({ ...deps, ...copying }, asked),
      ),
    latestUrl(node) {
      const latest = node.wire.latest_version;
      if (!node.isUpstream) return own.latestUrl(node);
      return latest?.downloadUrl === undefined ? null : (copying?.addresses.of(latest) ?? null);
    },
  };
}

// If we do not have it, upstream might.
async function orElse<Found>(ask: () => Promise<Found>, otherwise: () => Promise<Found | null>): Promise<Found> {
  try {
    return await ask();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "not_found") throw thrown;
    const found = await otherwise();
    if (found === null) throw thrown;
    return found;
  }
}

async function upstreamStateOf(deps: MirrorReaderDeps, nodeId: string): Promise<"own" | UpstreamState | null> {
  return isNodeId(nodeId) ? findUpstreamState(deps.database, foldedNodeId(nodeId)) : "own";
}

async function stateOfBrought(deps: MirrorReaderDeps, nodeId: string) {
  return (await bringNode(deps, nodeId)) ? findUpstreamState(deps.database, foldedNodeId(nodeId)) : null;
}

async function bringNode(deps: MirrorReaderDeps, nodeId: string): Promise<boolean> {
  // A node that we have but do not show is deleted or private, so there is no reason to ask upstream.
  if (!isNodeId(nodeId) || (await findUpstreamState(deps.database, foldedNodeId(nodeId))) !== null) return false;
  let answer = await knownAnswer(deps, `/nodes/${nodeId}`);
  const spelling = answer?.status === 302 ? /\/nodes\/([A-Za-z0-9._-]+)$/.exec(answer.body.toString())?.[1] : undefined;
  if (spelling !== undefined && foldedNodeId(spelling) === foldedNodeId(nodeId)) {
    answer = await knownAnswer(deps, `/nodes/${spelling}`);
  }
  const node = answer?.status === 200 ? upstreamNode(jsonOrUndefined(answer.body)) : null;
  if (node === null || foldedNodeId(node.id) !== foldedNodeId(nodeId)) return false;
  const search = searchDocument({ nodeId: node.id, publisherId: node.publisher?.id ?? null, fields: newFields(node) });
  await deps.database.transaction((tx) => putUpstreamNode(tx, { id: newId<"node">(), node, search }));
  void deps.nodesChanged([foldedNodeId(node.id)]);
  return true;
}

async function installOf(
  deps: MirrorReaderDeps,
  state: UpstreamState,
  { version: number, client }: AskedInstall,
): Promise<NodeVersion> {
  requireOffered(state);
  const version = await findUpstreamVersion(deps, state, number);
  if (version === null) throw number === null ? noInstallableVersion() : noSuchVersion();
  requireInstallable(version, deps.installable);
  if (client !== null) deps.copying?.copies.want(version);
  return shownHere(deps, version);
}

function shownHere({ copying }: MirrorReaderDeps, version: NodeVersion): NodeVersion {
  return copying === null ? version : { ...version, downloadUrl: copying.addresses.of(version) };
}

// Null if upstream does not know it or its answer is unreadable.
async function askUpstream(
  deps: MirrorReaderDeps,
  { path, queryText }: Target,
): Promise<{ readonly kind: "upstream"; readonly body: Buffer } | null> {
  const target = queryText === "" ? path : `${path}?${queryText}`;
  // Rejects dot segments in any spelling: a URL parser would climb on them, and no version or class is named so.
  if (target.length > 1_500 || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return null;
  const answer = await knownAnswer(deps, target);
  if (answer?.status === 403) throw new Fault("forbidden", "The upstream registry does not offer this.");
  return answer?.status === 200 ? { kind: "upstream", body: ledHere(deps, answer.body) } : null;
}

function ledHere({ copying }: MirrorReaderDeps, body: Buffer): Buffer {
  if (copying === null || !body.includes('"downloadUrl"')) return body;
  return Buffer.from(JSON.stringify(copying.addresses.within(jsonOrUndefined(body))));
}

// The most versions we ask upstream for in one call.
const mirroredInBulkMax = 50;

async function withUpstream(deps: MirrorReaderDeps, { node_versions }: BulkNodeVersions): Promise<BulkNodeVersions> {
  let asked = 0;
  const answers: BulkNodeVersions["node_versions"] = [];
  for (const answer of node_versions) {
    const isAsked = answer.status === "not_found" && asked++ < mirroredInBulkMax;
    answers.push(isAsked ? await askedOfUpstream(deps, answer) : answer);
  }
  return { node_versions: answers };
}

async function askedOfUpstream(
  deps: MirrorReaderDeps,
  answer: BulkNodeVersions["node_versions"][number],
): Promise<BulkNodeVersions["node_versions"][number]> {
  const { identifier } = answer;
  try {
    const version = normalizeVersion(identifier.version) ?? identifier.version;
    const found = await mirroredVersion(deps, { nodeId: identifier.node_id, version });
    return found === null ? answer : { identifier, status: "success", node_version: shownHere(deps, found) };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { identifier, status: "error", error_message: thrown.message };
  }
}

// The reading part of the registry: nodes, versions and descriptors, limited to what the reader may see.
import {
  BulkNodeVersionsRequest,
  type DescriptorSearchPage,
  type NodeCapabilities,
  type NodePage,
  type NodeReadme,
  type RegistryNode,
} from "@atelier/contract";
import { normalizeVersion } from "../checks/manifest.ts";
import { type DescriptorFilter, presentDescriptor, searchDescriptors } from "../descriptors/descriptor-store.ts";
import { readBody } from "../fields/read-body.ts";
import type { NodeChanges } from "../nodes/node-changes.ts";
import type { NodeFilter, NodeSort } from "../nodes/node-filter.ts";
import { findTranslations, listNodes, nextNodes, withRanges } from "../nodes/node-store.ts";
import { presentNode } from "../nodes/present-node.ts";
import { foldedNodeId, isForAll, type NodeRowId, type StoredNode } from "../nodes/stored-node.ts";
import { requireReadablePublisher } from "../publishers/publisher-authority.ts";
import type { Reader } from "../readers/reader.ts";
import { searchNodes } from "../search/search-nodes.ts";
import type { ArchiveAddresses, SignedLocation } from "../versions/archive-addresses.ts";
import { noSuchArchive } from "../versions/read-archive.ts";
import { readCapabilities } from "../versions/read-capabilities.ts";
import {
  listAllVersions,
  type Page,
  type ReadVersionDeps,
  readReadme,
  type VersionNumber,
} from "../versions/read-versions.ts";
import type { VersionFilter } from "../versions/version-store.ts";
import { createFinder } from "./find-by-name.ts";
import type { Answered, AskedNode, RegistryReader, Target } from "./registry-reader.ts";

export interface ReadingDeps extends ReadVersionDeps {
  readonly addresses: ArchiveAddresses;
  readonly read: RegistryReader;
  readonly changes: Pick<NodeChanges, "onChange">;
}

export interface ReadNode {
  // As its publisher spells it.
  readonly nodeId: string;
  // True if everybody may see it, so caches may keep it.
  readonly isForAll: boolean;
  readonly wire: RegistryNode;
}

const nodesAtOnce = 200;

export type Reading = ReturnType<typeof createReading>;

export function createReading(deps: ReadingDeps) {
  const { database, read, changes, addresses } = deps;
  const { listVersions, version, install, listDescriptors, descriptor } = read;
  const present = (node: StoredNode) => presentNode(read, node);
  const pageOf = (found: Found, { page, limit }: Page): NodePage => ({
    nodes: found.nodes.map(present),
    total: found.total,
    page,
    limit,
    totalPages: Math.ceil(found.total / limit),
  });
  return {
    ...{ listVersions, version, install, listDescriptors, descriptor },
    // Gets folded ids, or null if any node may have changed.
    onChange: changes.onChange,
    async node({ withTranslations, ...asked }: AskedNode & { readonly withTranslations: boolean }): Promise<ReadNode> {
      const node = await read.node(asked);
      const more = withTranslations ? { translations: await findTranslations(database, node.id) } : {};
      return { nodeId: node.nodeId, isForAll: isForAll(node), wire: { ...present(node), ...more } };
    },
    async findNodeByClass(asked: Target & { name: string; reader: Reader }): Promise<Answered<RegistryNode>> {
      const answer = await read.findNodeByClass(asked);
      return answer.kind === "upstream" ? answer : { kind: "own", value: present(answer.value) };
    },
    async listNodes(filter: NodeFilter, page: Page, sorts: readonly NodeSort[] = []): Promise<NodePage> {
      return pageOf(await listNodes(database, await withRanges(database, filter), page, sorts), page);
    },
    async searchNodes(filter: NodeFilter, text: string | undefined, page: Page): Promise<NodePage> {
      return pageOf(await searchNodes(database, await withRanges(database, filter), text, page), page);
    },
    // Walks over all of them, some at a time.
    async *walkNodes(filter: NodeFilter): AsyncGenerator<readonly RegistryNode[]> {
      for (let after: NodeRowId | null = null; ; ) {
        const nodes: StoredNode[] = await nextNodes(database, filter, after, nodesAtOnce);
        if (nodes.length > 0) yield nodes.map(present);
        if (nodes.length < nodesAtOnce) return;
        after = nodes.at(-1)?.id ?? null;
      }
    },
    // Members of the publisher also see banned nodes, with the reason.
    async ofPublisher(publisherId: string, reader: Reader): Promise<NodeFilter> {
      const { workspaceId } = await requireReadablePublisher(database, publisherId, reader);
      const isInside = reader.isAdmin || reader.workspaceId === workspaceId;
      const statuses = ["NodeStatusActive", ...(isInside ? ["NodeStatusBanned" as const] : [])] as const;
      return { reader, publisherId, statuses };
    },
    listAllVersions: (filter: VersionFilter & { withReason: boolean }, reader: Reader, page: Page) =>
      listAllVersions(deps, filter, reader, page),
    async versionsInBulk(sent: { json(): Promise<unknown> }, reader: Reader) {
      const { node_versions } = await readBody(BulkNodeVersionsRequest, sent);
      return read.versionsInBulk(node_versions, reader);
    },
    async searchDescriptors(asked: DescriptorFilter, reader: Reader, page: Page): Promise<DescriptorSearchPage> {
      const { nodeId, version: number, name } = asked;
      // A text that is not a version number matches nothing.
      const wanted = number === undefined ? undefined : (normalizeVersion(number) ?? "");
      const filter = { nodeId: nodeId && foldedNodeId(nodeId), version: wanted, name };
      const { descriptors, total } = await searchDescriptors(database, filter, reader, page);
      return { svc_nodes: descriptors.map(presentDescriptor), total };
    },
    // Throws 403 or 404 if the caller may not have it.
    async archive(asked: SignedLocation & { readonly query: URLSearchParams }) {
      const claim = addresses.readDownload(asked);
      if (claim === null) throw noSuchArchive();
      return { ...claim, ...(await read.archive({ ...claim, query: asked.query })) };
    },
    // Nodes of an upstream registry have none here.
    readme: (at: VersionNumber, reader: Reader): Promise<NodeReadme> => readReadme(deps, at, reader),
    capabilities: (at: VersionNumber, since: string | null, reader: Reader): Promise<NodeCapabilities> =>
      readCapabilities(deps, at, since, reader),
    finder: createFinder(deps),
  };
}

type Found = Awaited<ReturnType<typeof searchNodes>>;

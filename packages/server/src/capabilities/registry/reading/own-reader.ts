// Answers from our own tables.
import { Fault } from "../../../foundation/fault.ts";
import { findDescriptor, listDescriptors, presentDescriptor } from "../descriptors/descriptor-store.ts";
import { noSuchNode, requireReadableNode } from "../nodes/node-authority.ts";
import { findStoredNodeByClass } from "../nodes/node-store.ts";
import { isForAll } from "../nodes/stored-node.ts";
import type { ArchiveAddresses } from "../versions/archive-addresses.ts";
import { type InstallDeps, installNode } from "../versions/install-node.ts";
import { requireArchive } from "../versions/read-archive.ts";
import { answerInBulk, listNodeVersions, requireVersion, show } from "../versions/read-versions.ts";
import type { Answered, RegistryReader } from "./registry-reader.ts";

export interface OwnReaderDeps extends InstallDeps {
  readonly addresses: ArchiveAddresses;
}

const own = <Value>(value: Value): Answered<Value> => ({ kind: "own", value });

export function createOwnReader(deps: OwnReaderDeps): RegistryReader {
  const { database, addresses } = deps;
  return {
    node: ({ nodeId, reader }) => requireReadableNode(database, nodeId, reader),
    async findNodeByClass({ name, reader }) {
      const isName = name !== "" && name.length <= 255 && !name.includes("\0");
      const node = isName ? await findStoredNodeByClass(database, name, reader) : null;
      if (node === null) throw noSuchNode();
      return own(node);
    },
    listVersions: async (asked) => own(await listNodeVersions(deps, asked)),
    version: async (asked) => own(show(deps, await requireVersion(deps, asked, asked.reader))),
    versionsInBulk: (wanted, reader) => answerInBulk(deps, wanted, reader),
    install: (asked) => installNode(deps, asked),
    async listDescriptors(asked) {
      const version = await requireVersion(deps, asked, asked.reader);
      const { descriptors, total } = await listDescriptors(database, version.id, asked);
      const totalNumberOfPages = Math.ceil(total / asked.limit);
      return own({ svc_nodes: descriptors.map(presentDescriptor), totalNumberOfPages });
    },
    async descriptor(asked) {
      const version = await requireVersion(deps, asked, asked.reader);
      const found = asked.name.includes("\0") ? null : await findDescriptor(database, version.id, asked.name);
      if (found === null) throw new Fault("not_found", "There is no such descriptor.");
      return own(presentDescriptor(found));
    },
    archive: (asked) => requireArchive(database, asked),
    latestUrl(node) {
      if (node.isUpstream || node.latestArchiveId === null) return null;
      return isForAll(node) ? addresses.plain(node.latestArchiveId) : addresses.signed(node.latestArchiveId);
    },
  };
}

// What is asked of a registry about its nodes. Two answer: own-reader.ts from our tables, and the mirror for the nodes of the
// upstream registry, which leaves all others to the first. The handler of a request is given one and does not know which.
import type { BulkNodeVersions, DescriptorPage, NodeDescriptor, NodeVersion } from "@atelier/contract";
import type { StoredNode } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import type { AskedInstall } from "../versions/install-node.ts";
import type { AskedArchive, ServedArchive } from "../versions/read-archive.ts";
import type { AskedVersions } from "../versions/read-versions.ts";

// Our own value, or the bytes in which the upstream registry told it.
export type Answered<Value> =
  | { readonly kind: "own"; readonly value: Value }
  | { readonly kind: "told"; readonly body: Buffer };

// The request as it came, for a registry that is asked the same.
export interface Target {
  readonly path: string;
  readonly queryText: string;
}

export interface AskedNode {
  readonly nodeId: string;
  readonly reader: Reader;
}

export interface AskedVersion extends AskedNode, Target {
  readonly version: string;
}

export interface RegistryReader {
  node(asked: AskedNode): Promise<StoredNode>;
  nodeOfClass(asked: Target & { readonly name: string; readonly reader: Reader }): Promise<Answered<StoredNode>>;
  listVersions(asked: AskedVersions & Target): Promise<Answered<readonly NodeVersion[]>>;
  version(asked: AskedVersion): Promise<Answered<NodeVersion>>;
  // In the order asked; each has its own answer.
  versionsInBulk(
    wanted: readonly { readonly node_id: string; readonly version: string }[],
    reader: Reader,
  ): Promise<BulkNodeVersions>;
  install(asked: AskedInstall): Promise<NodeVersion>;
  listDescriptors(
    asked: AskedVersion & { readonly limit: number; readonly offset: number },
  ): Promise<Answered<DescriptorPage>>;
  descriptor(asked: AskedVersion & { readonly name: string }): Promise<Answered<NodeDescriptor>>;
  // Who may not have it hears 403, or 404.
  archive(asked: AskedArchive & { readonly query: URLSearchParams }): Promise<ServedArchive>;
  // Where the archive of a node's latest version is; null: where the version itself says, if anywhere.
  latestUrl(node: StoredNode): string | null;
}

// The questions a registry answers about its nodes. Two implementations: own-reader.ts answers from our tables; the
// mirror answers for the upstream registry's nodes and passes the rest to the first. Request handlers get one and do not
// know which.
import type { BulkNodeVersions, DescriptorPage, NodeDescriptor, NodeVersion } from "@atelier/contract";
import type { StoredNode } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import type { AskedInstall } from "../versions/install-node.ts";
import type { AskedArchive, ServedArchive } from "../versions/read-archive.ts";
import type { AskedVersions } from "../versions/read-versions.ts";

// Our own value, or the raw bytes of upstream's answer.
export type Answered<Value> =
  | { readonly kind: "own"; readonly value: Value }
  | { readonly kind: "upstream"; readonly body: Buffer };

// The request as it arrived, so we can ask upstream the same.
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
  findNodeByClass(asked: Target & { readonly name: string; readonly reader: Reader }): Promise<Answered<StoredNode>>;
  listVersions(asked: AskedVersions & Target): Promise<Answered<readonly NodeVersion[]>>;
  version(asked: AskedVersion): Promise<Answered<NodeVersion>>;
  // In the order requested; each item has its own result.
  versionsInBulk(
    wanted: readonly { readonly node_id: string; readonly version: string }[],
    reader: Reader,
  ): Promise<BulkNodeVersions>;
  install(asked: AskedInstall): Promise<NodeVersion>;
  listDescriptors(
    asked: AskedVersion & { readonly limit: number; readonly offset: number },
  ): Promise<Answered<DescriptorPage>>;
  descriptor(asked: AskedVersion & { readonly name: string }): Promise<Answered<NodeDescriptor>>;
  // Throws 403 or 404 if the caller may not have it.
  archive(asked: AskedArchive & { readonly query: URLSearchParams }): Promise<ServedArchive>;
  // Where to download a node's latest version. Null means use the address in the version, if it has one.
  latestUrl(node: StoredNode): string | null;
}

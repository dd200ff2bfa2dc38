// Decides when a node is unchanged: same class, same constants, same files by content, and the same for everything it is linked
// to. Node ids and titles do not count, so a renamed node does not run again, and duplicates in a graph run once.
import { createHash } from "node:crypto";
import { exactJson } from "../files/embed-graph.ts";
import { type Graph, isLink, unwrapped } from "../graph/graph.ts";
import { nodeOf } from "../graph/walk-graph.ts";

interface SignatureParts {
  readonly scope: string;
  // node id → input name → hash of the file it names
  readonly fileHashes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  // What a class embeds in its files besides its inputs; null if nothing.
  readonly embeddedBy: (classType: string) => string | null;
}

// `nodes` in topological order: every node comes after what it needs.
export function signaturesOf(graph: Graph, nodes: readonly string[], parts: SignatureParts): Map<string, string> {
  const signatures = new Map<string, string>();
  for (const id of nodes) {
    const node = nodeOf(graph, id);
    const files = parts.fileHashes.get(id);
    const embedded = parts.embeddedBy(node?.class_type ?? "");
    const hash = createHash("sha256").update(`${JSON.stringify([parts.scope, node?.class_type, embedded])}\n`);
    for (const name of Object.keys(node?.inputs ?? {}).sort()) {
      const value = node?.inputs[name];
      const file = files?.get(name);
      if (file !== undefined) hash.update(`${JSON.stringify([name, "file", file])}\n`);
      else if (isLink(value)) hash.update(`${JSON.stringify([name, "link", signatures.get(value[0]), value[1]])}\n`);
      else hash.update(`${JSON.stringify(name)} ${exactJson(unwrapped(value))}\n`);
    }
    signatures.set(id, hash.digest("hex"));
  }
  return signatures;
}

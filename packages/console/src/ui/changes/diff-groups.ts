// The changes between two versions, grouped by node. Under its node's heading a sentence need not repeat the node's name.
import type { WorkflowChange } from "@atelier/sdk";

export interface NodeChanges {
  readonly nodeId: string;
  readonly title: string;
  readonly kind: "added" | "removed" | "changed";
  readonly sentences: readonly string[];
}

export function groupByNode(changes: readonly WorkflowChange[]): readonly NodeChanges[] {
  const groups = new Map<string, WorkflowChange[]>();
  for (const change of changes) {
    const known = groups.get(change.node_id);
    if (known === undefined) groups.set(change.node_id, [change]);
    else known.push(change);
  }
  return [...groups].map(([nodeId, own]) => ({
    nodeId,
    title: own[0]?.title ?? own[0]?.class_type ?? nodeId,
    kind: kindOf(own),
    sentences: own.map((change) => withoutNode(change)),
  }));
}

function kindOf(changes: readonly WorkflowChange[]): NodeChanges["kind"] {
  if (changes.some(({ kind }) => kind === "node_added")) return "added";
  return changes.some(({ kind }) => kind === "node_removed") ? "removed" : "changed";
}

// "KSampler “Fine” (3): steps changed from 20 to 30." is "steps changed from 20 to 30." below the heading of node 3.
function withoutNode({ node_id, words, input }: WorkflowChange): string {
  if (input === null) return words;
  const at = words.indexOf(`(${node_id}): ${input} `);
  return at === -1 ? words : words.slice(at + `(${node_id}): `.length);
}

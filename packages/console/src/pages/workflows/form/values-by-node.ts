// The values that can be inputs, grouped by node and filtered.
import type { WorkInput } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { type Graph, nodesOf, titleOf } from "../../../api/graphs.ts";

export interface NodeValues {
  readonly node: string;
  readonly title: string;
  readonly values: readonly WorkInput[];
}

export function shownValues(
  all: readonly WorkInput[],
  graph: Graph,
  { text, node }: { readonly text: string; readonly node: string | undefined },
): readonly NodeValues[] {
  const byNode = Map.groupBy(all, (input) => input.node);
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  // Nodes that the drawn graph does not have are listed, too: the server knows them.
  const drawn = nodesOf(graph).map(([id]) => id);
  const ids = [
    ...drawn.filter((id) => byNode.has(id)),
    ...[...byNode.keys()].filter((id) => !Object.hasOwn(graph, id)),
  ];
  return ids.flatMap((id): readonly NodeValues[] => {
    if (node !== undefined && id !== node) return [];
    const title = titleOf(graph[id], id);
    const about = `${title} ${graph[id]?.class_type ?? ""} ${id}`.toLowerCase();
    const values = (byNode.get(id) ?? []).filter((value) => {
      const said = `${about} ${value.input} ${value.label ?? ""} ${writeJson(value.default) ?? ""}`.toLowerCase();
      return wanted.every((word) => said.includes(word));
    });
    return values.length === 0 ? [] : [{ node: id, title, values }];
  });
}

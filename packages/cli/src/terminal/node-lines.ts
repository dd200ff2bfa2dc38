// A job's nodes for people: one line for each node that ends while we watch, and a table of all of them.
import type { Progress } from "@atelier/sdk";

export type JobNode = NonNullable<Progress["nodes"]>[number];

const marks: Readonly<Record<JobNode["state"], string>> = {
  waiting: "○",
  running: "●",
  cached: "=",
  done: "✓",
  failed: "✕",
};
// In a larger graph, only slow or failed nodes get a line.
const everyNodeMax = 20;
const longMs = 1_000;

export const nameOf = ({ title, class_type: classType }: JobNode): string =>
  title === undefined || title === classType ? classType : `${title} (${classType})`;

export function timeText(ms: number | null): string {
  if (ms === null) return "";
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export class EndedNodes {
  readonly #shown = new Set<string>();

  // The nodes that ended since the last call.
  linesOf({ nodes = [], nodes_total: total }: Progress): string[] {
    const ended = nodes.filter((node) => isOver(node) && !this.#shown.has(node.node_id));
    for (const { node_id: id } of ended) this.#shown.add(id);
    return ended.filter((node) => total <= everyNodeMax || isNotable(node)).map(lineOf);
  }
}

const isOver = ({ state }: JobNode) => state === "done" || state === "cached" || state === "failed";
const isNotable = ({ state, ms }: JobNode) => state === "failed" || (ms ?? 0) >= longMs;

function lineOf(node: JobNode): string {
  const took = node.state === "cached" ? "known" : timeText(node.ms);
  return `  ${marks[node.state]} ${nameOf(node).padEnd(36)} ${took.padStart(8)}`.trimEnd();
}

// `credits`: what each node was charged, by id.
export function nodeTable(progress: Progress | null, credits: ReadonlyMap<string, string>): string[] {
  const { nodes = [], node_counts: counts } = progress ?? {};
  if (nodes.length === 0) return [];
  const rows = nodes.map((node) => [
    node.node_id,
    `${marks[node.state]} ${node.state}${node.state === "running" && node.progress > 0 ? ` ${Math.floor(node.progress * 100)}%` : ""}`,
    timeText(node.ms),
    credits.get(node.node_id) ?? "",
    nameOf(node),
  ]);
  const head = ["node", "state", "time", "credits", "name"];
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 2 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  const all = counts ? Object.values(counts).reduce((sum, count) => sum + count, 0) : nodes.length;
  const rest = all > nodes.length ? [`… and ${all - nodes.length} more nodes.`] : [];
  return ["", line(head), ...rows.map(line), ...rest];
}

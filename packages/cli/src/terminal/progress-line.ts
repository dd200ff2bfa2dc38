// A running job's progress: one redrawn line on a terminal, a plain line per change elsewhere.
import type { Progress } from "@atelier/sdk";
import { cut } from "../wrap.ts";

// On a narrow terminal we shorten the bar first, then the name, then drop the node count.
export function progressLine(progress: Progress, seconds: number, isUnicode: boolean, columns = 100): string {
  const share = Math.min(1, Math.max(0, progress.value));
  const what = titleOf(progress) ?? progress.message ?? progress.current_node_class ?? "running";
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const node = `   node ${Math.min(progress.nodes_done + 1, progress.nodes_total)} of ${progress.nodes_total}`;
  const time = `   ${seconds.toFixed(1)} s`;
  const hasNode = columns >= 4 + 12 + 8 + percent.length + node.length + time.length;
  const tail = `${percent}${hasNode ? node : ""}${time}`;
  const room = columns - tail.length - 4;
  const nameCells = Math.max(8, Math.min(26, room - Math.min(28, Math.floor(room / 2))));
  const barCells = Math.max(0, Math.min(28, room - nameCells));
  const full = Math.floor(share * barCells);
  const [done, left] = isUnicode ? ["━", "─"] : ["#", "-"];
  const bar = done.repeat(full) + left.repeat(barCells - full);
  return `${isUnicode ? "▶" : ">"} ${cut(what, nameCells).padEnd(nameCells)} ${bar} ${tail}`;
}

// The title of the running node in the graph.
function titleOf({ nodes = [], current_node: current, step, steps }: Progress): string | null {
  const title = nodes.find(({ node_id: id, state }) => id === current && state === "running")?.title;
  return title === undefined ? null : `${title}${step != null && steps != null ? ` ${step}/${steps}` : ""}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

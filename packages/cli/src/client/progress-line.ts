// How a running job looks: one line that is drawn again where somebody watches, a plain line per change elsewhere.
import type { Progress } from "@atelier/sdk";

const barCells = 28;

export function progressLine(progress: Progress, seconds: number, isUnicode: boolean): string {
  const share = Math.min(1, Math.max(0, progress.value));
  const full = Math.floor(share * barCells);
  const [done, left] = isUnicode ? ["━", "─"] : ["#", "-"];
  const bar = done.repeat(full) + left.repeat(barCells - full);
  const what = progress.message ?? progress.current_node_class ?? "running";
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${isUnicode ? "▶" : ">"} ${fit(what, 26)} ${bar} ${percent}   node ${Math.min(progress.nodes_done + 1, progress.nodes_total)} of ${progress.nodes_total}   ${seconds.toFixed(1)} s`;
}

function fit(text: string, cells: number): string {
  return text.length > cells ? `${text.slice(0, cells - 1)}…` : text.padEnd(cells);
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

// One line of the report: what was measured, the limit, and the result.
export interface Finding {
  readonly name: string;
  readonly value: number;
  readonly unit: "%" | "s" | "ms" | "MB" | "MiB" | "MB/s" | "kB" | "times" | "answers/s" | "calls/s" | "µs" | "tiles";
  // Absent if it is for information only.
  readonly limit?: Limit;
  readonly rounds?: readonly number[];
  // The share of the machine that others used meanwhile.
  readonly foreignCpu: number | null;
}

interface Limit {
  readonly kind: "at least" | "at most";
  readonly value: number;
}

export const atLeast = (value: number): Limit => ({ kind: "at least", value });
export const atMost = (value: number): Limit => ({ kind: "at most", value });

// Writes the findings of one measurement, which share what others used of the machine meanwhile.
export function reportWith(foreignCpu: number | null) {
  return {
    one: (
      name: string,
      value: number,
      unit: Finding["unit"],
      limit?: Limit | null,
      rounds?: readonly number[],
    ): Finding => ({ name, value, unit, ...(limit && { limit }), ...(rounds && { rounds }), foreignCpu }),
    // The median of the rounds counts.
    medianOf: (name: string, rounds: readonly number[], unit: Finding["unit"], limit?: Limit | null): Finding => ({
      ...{ name, value: median(rounds), unit, ...(limit && { limit }), rounds, foreignCpu },
    }),
  };
}

export function isKept({ value, limit }: Finding): boolean {
  if (!limit) return true;
  return limit.kind === "at least" ? value >= limit.value : value <= limit.value;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function table(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.name,
    `${shown(finding.value, finding.unit)} ${finding.unit}`,
    finding.limit ? `${finding.limit.kind} ${finding.limit.value} ${finding.unit}` : "–",
    finding.limit ? (isKept(finding) ? "kept" : "**missed**") : "–",
    finding.rounds ? finding.rounds.map((value) => shown(value, finding.unit)).join(" ") : "–",
    finding.foreignCpu === null ? "?" : `${Math.round(finding.foreignCpu * 100)} %`,
  ]);
  const head = ["What", "Measured", "Limit", "Verdict", "Rounds", "Foreign CPU"];
  const widths = head.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}

function shown(value: number, unit: Finding["unit"]): string {
  if (unit === "s" || unit === "times" || (unit === "ms" && value < 10)) return value.toFixed(2);
  return unit === "µs" ? value.toFixed(1) : value.toFixed(0);
}

// A list for people (aligned, with a head line, times as distances) or for programs (tab-separated, whole values, no head
// line). Never JSON unless asked.
import type { CommandTable } from "@atelier/server/commands";
import { coloured, type Look } from "./look.ts";

export function tabSeparated(table: CommandTable): string {
  const cell = (value: string | Date | null) =>
    value === null ? "" : value instanceof Date ? value.toISOString() : value.replace(/[\t\r\n]+/g, " ");
  return table.rows.map((row) => row.map(cell).join("\t")).join("\n");
}

export function aligned(table: CommandTable, look: Look, now: Date): string {
  const cell = (value: string | Date | null) =>
    value === null ? "–" : value instanceof Date ? distance(value, now) : value.replace(/\s+/g, " ");
  const rows = table.rows.map((row) => row.map(cell));
  const widths = table.columns.map((name, index) =>
    Math.min(60, Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return [coloured(line(table.columns), "dim", look), ...rows.map(line)].join("\n");
}

const minute = 60_000;
const steps: readonly [number, number, string][] = [
  [90 * minute, minute, "min"],
  [36 * 60 * minute, 60 * minute, "h"],
  [60 * 24 * 60 * minute, 24 * 60 * minute, "d"],
];

export function distance(moment: Date, now: Date): string {
  const ms = moment.getTime() - now.getTime();
  if (Math.abs(ms) < minute) return "now";
  const step = steps.find(([limit]) => Math.abs(ms) < limit);
  if (!step) return moment.toISOString().slice(0, 10);
  const amount = `${Math.round(Math.abs(ms) / step[1])} ${step[2]}`;
  return ms < 0 ? `${amount} ago` : `in ${amount}`;
}

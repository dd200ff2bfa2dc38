// Prints a list for people (aligned, with a header, relative times) or for programs (tab-separated, full values, no header).
// Never JSON unless asked.
import type { CommandTable } from "@atelier/server/commands";
import { coloured, type Look } from "./look.ts";
import { cut, hanging, wrapped } from "./wrap.ts";

export function tabSeparated(table: CommandTable): string {
  const cell = (value: string | Date | null) =>
    value === null ? "" : value instanceof Date ? value.toISOString() : value.replace(/[\t\r\n]+/g, " ");
  return table.rows.map((row) => row.map(cell).join("\t")).join("\n");
}

// `columns` is the terminal's width. If a row does not fit, we cut long values in the middle columns and wrap the last one; if
// even that is not enough, every row becomes a few lines. An id is never cut.
export function aligned(table: CommandTable, look: Look, now: Date, columns = Number.POSITIVE_INFINITY): string {
  const cell = (value: string | Date | null) =>
    value === null ? "–" : value instanceof Date ? distance(value, now) : value.replace(/\s+/g, " ");
  const rows = table.rows.map((row) => row.map(cell));
  const natural = table.columns.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const widths = fitted(natural, columns);
  if (widths === null) return records(table.columns, rows, look, columns);
  const line = (cells: readonly string[]) => rowLines(cells, widths, columns).join("\n");
  return [coloured(line(table.columns), "dim", look), ...rows.map(line)].join("\n");
}

const gap = 2;
const middleLeast = 12;
// A short last column can wrap in little room; sentences need more.
const lastLeast = (natural: number): number => (natural > 24 ? 24 : Math.min(natural, 8));

// The widths of all columns but the last, which takes the rest. Null if a row cannot fit.
function fitted(natural: readonly number[], columns: number): readonly number[] | null {
  const widths = natural.slice(0, -1);
  const last = lastLeast(natural.at(-1) ?? 0);
  const surplus = () => widths.reduce((sum, width) => sum + width + gap, last) - columns;
  while (surplus() > 0) {
    const widest = Math.max(0, ...widths.slice(1));
    if (widest <= middleLeast) return null;
    const at = widths.indexOf(widest, 1);
    widths[at] = Math.max(middleLeast, widest - surplus());
  }
  return widths;
}

function rowLines(cells: readonly string[], widths: readonly number[], columns: number): string[] {
  const label = widths.map((width, at) => `${cut(cells[at] ?? "", width).padEnd(width)}${" ".repeat(gap)}`).join("");
  const last = cells.at(widths.length) ?? "";
  const [first = "", ...rest] = last.length > columns - label.length ? wrapped(last, columns - label.length) : [last];
  return [`${label}${first}`.trimEnd(), ...rest.map((line) => `${" ".repeat(label.length)}${line}`)];
}

function records(names: readonly string[], rows: readonly (readonly string[])[], look: Look, columns: number): string {
  const width = Math.max(...names.map((name) => name.length)) + gap;
  return rows
    .map((row) =>
      row
        .flatMap((text, at) => {
          if (text === "–") return [];
          const [first = "", ...rest] = hanging((names[at] ?? "").padEnd(width), text, columns);
          return [`${coloured(first.slice(0, width), "dim", look)}${first.slice(width)}`, ...rest];
        })
        .join("\n"),
    )
    .join("\n\n");
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

// The grid as rows of known height: a line for each day, then its pictures, as many per row as fit.
import { gallery as words } from "#strings/gallery";
import type { Item } from "./items.ts";

export type GridRow =
  | { readonly type: "day"; readonly key: string; readonly label: string; readonly count: number }
  | { readonly type: "tiles"; readonly key: string; readonly items: readonly Item[] };

export const dayHeight = 44;
export const gap = 8;

export function rowsOf(items: readonly Item[], columns: number): readonly GridRow[] {
  const rows: GridRow[] = [];
  for (let from = 0; from < items.length; ) {
    const day = items[from]?.day ?? "";
    let to = from;
    while (to < items.length && items[to]?.day === day) to++;
    rows.push({ type: "day", key: `day ${day} ${from}`, label: dayLabel(day), count: to - from });
    for (let at = from; at < to; at += columns) {
      const inRow = items.slice(at, Math.min(to, at + columns));
      rows.push({ type: "tiles", key: inRow[0]?.id ?? "", items: inRow });
    }
    from = to;
  }
  return rows;
}

function dayLabel(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const at = new Date(year, month - 1, date);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - at.getTime()) / 86_400_000);
  if (days === 0) return words.today;
  if (days === 1) return words.yesterday;
  const isThisYear = year === new Date().getFullYear();
  return at.toLocaleDateString(undefined, {
    weekday: days < 7 ? "long" : undefined,
    day: "numeric",
    month: "long",
    year: isThisYear ? undefined : "numeric",
  });
}

// Where an arrow key leads from an item: to its neighbour, or to the nearest item in the row above or below.
export function neighbourOf(rows: readonly GridRow[], id: string, key: string): { row: number; item: Item } | null {
  const tiles = rows.flatMap((row, at) => (row.type === "tiles" ? [{ at, items: row.items }] : []));
  const flat = tiles.flatMap(({ at, items }) => items.map((item) => ({ row: at, item })));
  const now = flat.findIndex(({ item }) => item.id === id);
  const step = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: flat.length - 1 }[key];
  if (step !== undefined) return flat[step] ?? null;
  const rowAt = tiles.findIndex(({ items }) => items.some((item) => item.id === id));
  const next = tiles[rowAt + (key === "ArrowDown" ? 1 : -1)];
  const column = tiles[rowAt]?.items.findIndex((item) => item.id === id) ?? 0;
  const item = next?.items[column] ?? next?.items.at(-1);
  return next && item && (key === "ArrowDown" || key === "ArrowUp") ? { row: next.at, item } : null;
}

// The selected items: by click, by shift-click, by keyboard. After filtering, only items still listed stay selected.
import { useMemo, useState } from "react";
import type { Item } from "./items.ts";

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly items: readonly Item[];
  toggle(id: string): void;
  // Selects everything between the last selected item and this one.
  extendTo(id: string): void;
  all(): void;
  clear(): void;
}

export function useSelection(items: readonly Item[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const selected = useMemo(() => items.filter(({ id }) => chosen.has(id)), [items, chosen]);
  return {
    ids: chosen,
    items: selected,
    toggle(id) {
      const next = new Set(chosen);
      if (!next.delete(id)) next.add(id);
      setChosen(next);
      setAnchor(id);
    },
    extendTo(id) {
      const from = items.findIndex((item) => item.id === (anchor ?? id));
      const to = items.findIndex((item) => item.id === id);
      const range = items.slice(Math.min(from, to), Math.max(from, to) + 1);
      setChosen(new Set([...chosen, ...range.map((item) => item.id)]));
    },
    all: () => setChosen(new Set(items.map(({ id }) => id))),
    clear: () => setChosen(new Set()),
  };
}

// Needs two to four pictures and nothing else; null if these cannot be compared.
export function comparable(items: readonly Item[]): string | null {
  const arePictures = items.length >= 2 && items.length <= 4 && items.every(({ kind }) => kind === "image");
  return arePictures ? items.map(({ id }) => id).join(",") : null;
}

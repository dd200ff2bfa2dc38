// Which items are chosen: by click, by shift and click, by keyboard. A choice outlives filtering only as far as the items
// are still listed.
import { useMemo, useState } from "react";
import type { Item } from "./items.ts";

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly items: readonly Item[];
  toggle(id: string): void;
  // Everything between the last one that was chosen and this.
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

// Two to four pictures and nothing else; null: these are not to be compared.
export function comparable(items: readonly Item[]): string | null {
  const arePictures = items.length >= 2 && items.length <= 4 && items.every(({ kind }) => kind === "image");
  return arePictures ? items.map(({ id }) => id).join(",") : null;
}

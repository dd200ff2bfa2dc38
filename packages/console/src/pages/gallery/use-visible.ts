// Which rows of a long list are near the viewport. Their heights are known, so each row's position is a sum, and finding the
// visible ones takes two look-ups, at every scroll and whenever the list grows.
import { useCallback, useEffect, useLayoutEffect, useState } from "react";

export interface Visible {
  // `last` is exclusive.
  readonly first: number;
  readonly last: number;
  // Scrolls a row into view if it is not.
  show(row: number): void;
}

// How far above and below the viewport rows are rendered.
const margin = 600;
// Recomputed after this many pixels.
const step = 150;
// The height of the bar at the top.
const covered = 64;

// `starts` has one more entry than there are rows: the end of the last one. `top`: the list's position in the document.
export function useVisible(starts: readonly number[], top: number): Visible {
  const [seen, setSeen] = useState(look);
  const again = useCallback(() => {
    const now = look();
    setSeen((old) => (old.from === now.from && old.to === now.to ? old : now));
  }, []);
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    addEventListener("scroll", again, { signal, passive: true });
    addEventListener("resize", again, { signal });
    return () => control.abort();
  }, [again]);
  // A list that became longer or shorter may have moved the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at a change of what it does not read
  useLayoutEffect(again, [again, starts]);
  return {
    first: Math.max(0, rowAt(starts, seen.from - top)),
    last: Math.min(starts.length - 1, rowAt(starts, seen.to - top) + 1),
    show(row) {
      const [from, to] = [(starts[row] ?? 0) + top, (starts[row + 1] ?? 0) + top];
      if (from < scrollY + covered) scrollTo({ top: from - covered });
      else if (to > scrollY + innerHeight) scrollTo({ top: to - innerHeight + 16 });
    },
  };
}

function look(): { readonly from: number; readonly to: number } {
  const y = Math.round(scrollY / step) * step;
  return { from: y - margin, to: y + innerHeight + margin };
}

// The row at this position.
function rowAt(starts: readonly number[], point: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

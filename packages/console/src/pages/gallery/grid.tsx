// The grid: rows of known height, of which only those near the viewport are in the document.

import { useNavigate } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { gallery as words } from "#strings/gallery";
import { withQuery } from "../../api/operation.ts";
import styles from "./gallery.module.css";
import { dayHeight, type GridRow, gap, neighbourOf, rowsOf } from "./grid-rows.ts";
import type { GalleryItems, Item } from "./items.ts";
import type { GallerySearch } from "./search.ts";
import type { Selection } from "./selection.ts";
import { Tile } from "./tile.tsx";
import { useVisible } from "./use-visible.ts";

export interface GridProps {
  readonly list: GalleryItems;
  readonly items: readonly Item[];
  readonly selection: Selection;
  readonly search: GallerySearch;
}

const arrows = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

export function Grid({ list, items, selection, search }: GridProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { width, top } = useBox(box);
  const columns = Math.max(width < 560 ? 3 : 2, Math.floor((width + gap) / ((width < 560 ? 110 : 188) + gap)));
  const size = width === 0 ? 0 : (width - gap * (columns - 1)) / columns;
  const rows = useMemo(() => (width === 0 ? [] : rowsOf(items, columns)), [items, columns, width]);
  const starts = useMemo(() => startsOf(rows, size), [rows, size]);
  const visible = useVisible(starts, top);
  useMore(list, visible.last >= rows.length - 4);
  const [active, setActive] = useState<string | null>(null);
  const tab = active !== null && items.some(({ id }) => id === active) ? active : items[0]?.id;
  const positions = useMemo(() => new Map(items.map(({ id }, at) => [id, at])), [items]);
  const picks = usePicks(selection, search);
  const onKey = (event: KeyboardEvent) => {
    if (tab === undefined || !(event.target as HTMLElement).matches("[data-tile]")) return;
    if (event.key === " ") {
      event.preventDefault();
      selection.toggle(tab);
    }
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      selection.all();
    }
    if (!arrows.has(event.key)) return;
    const next = neighbourOf(rows, tab, event.key);
    event.preventDefault();
    if (next === null) return;
    if (event.shiftKey) selection.extendTo(next.item.id);
    setActive(next.item.id);
    visible.show(next.row);
    // One that was out of sight is there with the next frame. A late frame must not take the focus from what came after.
    if (!focusTile(next.item.id)) requestAnimationFrame(() => focusTile(next.item.id));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is within does the same
    <div ref={box} onKeyDown={onKey}>
      <ul aria-label={words.list} className={styles.grid} style={{ height: starts.at(-1) ?? 0 }}>
        {rows.slice(visible.first, visible.last).map((row, at) => {
          const start = starts[visible.first + at] ?? 0;
          if (row.type === "day") return <DayLine key={row.key} label={row.label} top={start} />;
          return row.items.map((item, column) => (
            <Tile
              key={item.id}
              item={item}
              at={positions.get(item.id) ?? 0}
              of={list.hasMore ? -1 : items.length}
              size={size}
              left={column * (size + gap)}
              top={start}
              isChosen={selection.ids.has(item.id)}
              isActive={item.id === tab}
              href={withQuery("/console/gallery", { ...search, asset: item.id })}
              onPick={picks.pick}
              onToggle={picks.toggle}
              onActive={setActive}
            />
          ));
        })}
      </ul>
      {list.isFetching ? <p className={styles.comingMore}>{words.loadingMore}</p> : null}
    </div>
  );
}

function startsOf(rows: readonly GridRow[], size: number): readonly number[] {
  const starts = [0];
  let at = 0;
  for (const { type } of rows) {
    at += type === "day" ? dayHeight : size + gap;
    starts.push(at);
  }
  return starts;
}

function DayLine({ label, top }: { readonly label: string; readonly top: number }): ReactNode {
  return (
    <li className={styles.day} style={{ transform: `translateY(${top}px)`, height: dayHeight }}>
      <h2>{label}</h2>
    </li>
  );
}

// False if the tile is not on the page: only those in sight are.
export function focusTile(id: string): boolean {
  const tile = document.querySelector<HTMLElement>(`[data-tile="${CSS.escape(id)}"]`);
  tile?.focus({ preventScroll: true });
  return tile !== null;
}

let lastMeasured = { width: 0, top: 0 };

// The grid's width and its position in the document.
function useBox(box: { readonly current: HTMLElement | null }): { readonly width: number; readonly top: number } {
  // Starts with the last measurement, so that a person who comes back finds the page as long as it was, at the same position.
  const [measured, setMeasured] = useState(lastMeasured);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      setMeasured((old) => {
        if (old.width > 0 && document.documentElement.dataset["covered"] !== undefined) return old;
        const now = { width, top: Math.round(top + scrollY) };
        if (old.width === now.width && old.top === now.top) return old;
        lastMeasured = now;
        return now;
      });
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    watcher.observe(document.body);
    return () => watcher.disconnect();
  }, [box]);
  return measured;
}

// Fetches the next page before the end is visible.
export function useMore(list: GalleryItems, isNear: boolean): void {
  const { hasMore, isFetching, fault } = list;
  const more = useEffectEvent(() => list.more());
  useEffect(() => {
    if (isNear && hasMore && !isFetching && !fault) more();
  }, [isNear, hasMore, isFetching, fault]);
}

function usePicks(selection: Selection, search: GallerySearch) {
  const navigate = useNavigate();
  const now = useRef({ selection, search });
  now.current = { selection, search };
  const toggle = useCallback((item: Item, isRange: boolean) => {
    if (isRange) now.current.selection.extendTo(item.id);
    else now.current.selection.toggle(item.id);
  }, []);
  const pick = useCallback(
    (item: Item, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; preventDefault(): void }) => {
      event.preventDefault();
      const { selection: chosen, search: at } = now.current;
      if (event.shiftKey || event.ctrlKey || event.metaKey || chosen.ids.size > 0) return toggle(item, event.shiftKey);
      void navigate({ to: "/console/gallery", search: { ...at, asset: item.id }, resetScroll: false });
    },
    [navigate, toggle],
  );
  return { toggle, pick };
}

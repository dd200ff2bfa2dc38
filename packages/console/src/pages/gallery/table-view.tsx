// The same list as a table, for people who look for facts. Two tall empty rows stand in for the rows outside the viewport.

import { Link } from "@tanstack/react-router";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { gallery as words } from "#strings/gallery";
import { CopyId } from "../../ui/copy.tsx";
import { Ago, formatBytes } from "../../ui/figures.tsx";
import { KindIcon, kindWords } from "../../ui/kind-icon.tsx";
import kit from "../../ui/kit.module.css";
import { Scrollable } from "../../ui/scrollable.tsx";
import { Thumb } from "../../ui/thumb.tsx";
import styles from "./gallery.module.css";
import { type GridProps, useMore } from "./grid.tsx";
import type { Item } from "./items.ts";
import { useVisible } from "./use-visible.ts";

const rowHeight = 53;
const heads = ["name", "kind", "size", "hash", "created", "expires", "id"] as const;

export function TableView({ list, items, selection, search }: GridProps): ReactNode {
  const box = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element) setTop(element.getBoundingClientRect().top + scrollY);
  }, []);
  const starts = useMemo(() => Array.from({ length: items.length + 1 }, (_, at) => at * rowHeight), [items.length]);
  const { first, last } = useVisible(starts, top);
  useMore(list, last >= items.length - 10);
  return (
    <Scrollable className={styles.tableScroll} label={words.tableOfFiles}>
      <table className={kit.table} aria-rowcount={list.hasMore ? -1 : items.length + 1}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{words.columns.select}</span>
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" data-align={head === "size" ? "end" : undefined}>
                {words.columns[head]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={box}>
          <Spacer height={first * rowHeight} />
          {items.slice(first, last).map((item, at) => (
            <tr key={item.id} aria-rowindex={first + at + 2}>
              <td>
                <input
                  type="checkbox"
                  aria-label={words.tile.select(item.name)}
                  checked={selection.ids.has(item.id)}
                  onChange={() => selection.toggle(item.id)}
                  className={styles.box}
                />
              </td>
              <Cells item={item} search={search} />
            </tr>
          ))}
          <Spacer height={(items.length - last) * rowHeight} />
        </tbody>
      </table>
    </Scrollable>
  );
}

function Spacer({ height }: { readonly height: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tr data-spacer>
      <td colSpan={heads.length + 1} style={{ height }} />
    </tr>
  );
}

function Cells({ item, search }: { readonly item: Item; readonly search: GridProps["search"] }): ReactNode {
  return (
    <>
      <td>
        <Link
          to="/console/gallery"
          search={{ ...search, asset: item.id }}
          resetScroll={false}
          className={styles.name}
          title={item.name}
        >
          {item.kind === "image" ? (
            <Thumb assetId={item.id} alt="" size={36} />
          ) : (
            <span className={styles.nameIcon}>
              <KindIcon kind={item.kind} size={20} />
            </span>
          )}
          <span>{item.name}</span>
        </Link>
      </td>
      <td className={kit.soft}>{kindWords[item.kind] ?? item.kind}</td>
      <td data-align="end">{formatBytes(item.bytes)}</td>
      <td>{item.hash ? <CopyId id={item.hash} /> : "–"}</td>
      <td>
        <Ago at={item.created} />
      </td>
      <td>{item.expires ? <Ago at={item.expires} /> : <span className={kit.soft}>{words.never}</span>}</td>
      <td>
        <CopyId id={item.id} />
      </td>
    </>
  );
}

// A JSON value as a tree. Only what is in view is in the document, so an answer with a hundred thousand members scrolls like a
// short one. Long texts are cut on display and copied in full.

import { writeJson } from "@atelier/sdk";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { uiViewers as words } from "#strings/ui/viewers";
import { CopyButton } from "../copy.tsx";
import { Scrollable } from "../scrollable.tsx";
import styles from "./viewers.module.css";

interface Row {
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
  readonly count: number | null;
}

const rowPixels = 26;
const shownMax = 22;
const textMax = 240;

export function JsonTree({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set());
  const isOpen = useCallback(
    (row: Pick<Row, "key" | "depth" | "count">) =>
      !closed.has(row.key) && (opened.has(row.key) || (row.depth < 3 && (row.count ?? 0) <= 100)),
    [closed, opened],
  );
  const rows = useMemo(() => rowsOf(value, isOpen), [value, isOpen]);
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 12,
  });
  const toggle = (row: Row) => {
    const wasOpen = isOpen(row);
    setClosed(changed(closed, row.key, wasOpen));
    setOpened(changed(opened, row.key, !wasOpen));
  };
  return (
    <div className={styles.tree}>
      <Scrollable
        as="figure"
        ref={scroller}
        className={styles.treeScroll}
        style={{ height: Math.min(rows.length, shownMax) * rowPixels + 16 }}
        label={label}
      >
        <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div key={row.key} className={styles.treeRow} style={{ transform: `translateY(${start}px)` }}>
                <TreeRow row={row} isOpen={isOpen(row)} onToggle={() => toggle(row)} />
              </div>
            );
          })}
        </div>
      </Scrollable>
      <div className={styles.treeCopy}>
        <CopyButton text={writeJson(value)} label={words.copyJson} />
      </div>
    </div>
  );
}

function TreeRow(props: { readonly row: Row; readonly isOpen: boolean; readonly onToggle: () => void }): ReactNode {
  const { row, isOpen } = props;
  const pad = { paddingInlineStart: `${0.4 + row.depth * 1.1}rem` };
  const name = row.name === "" ? null : <span className={styles.treeName}>{row.name}: </span>;
  if (row.count === null)
    return (
      <div className={styles.treeLine} style={pad}>
        <span className={styles.treeGap} />
        {name}
        <Scalar value={row.value} />
      </div>
    );
  const isList = Array.isArray(row.value);
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <button type="button" className={styles.treeLine} style={pad} aria-expanded={isOpen} onClick={props.onToggle}>
      <Icon aria-hidden="true" />
      {name}
      <span className={styles.treeCount}>{isList ? `[${row.count}]` : `{${row.count}}`}</span>
    </button>
  );
}

function Scalar({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value !== "string")
    return <span data-is={value === null ? "null" : typeof value}>{String(value ?? null)}</span>;
  const isCut = value.length > textMax;
  return (
    <span data-is="string" title={isCut ? undefined : value}>
      {JSON.stringify(isCut ? value.slice(0, textMax) : value)}
      {isCut ? <em>{words.cut(value.length.toLocaleString())}</em> : null}
    </span>
  );
}

function rowsOf(value: unknown, isOpen: (row: Row) => boolean): Row[] {
  const rows: Row[] = [];
  const walk = (name: string, each: unknown, key: string, depth: number) => {
    const members = membersOf(each);
    const row = { key, name, value: each, depth, count: members?.length ?? null };
    rows.push(row);
    if (members !== null && isOpen(row))
      for (const [inner, member] of members) walk(inner, member, `${key}/${inner}`, depth + 1);
  };
  walk("", value, "", 0);
  return rows;
}

function membersOf(value: unknown): [string, unknown][] | null {
  if (Array.isArray(value)) return value.map((each, at) => [String(at), each]);
  return typeof value === "object" && value !== null ? Object.entries(value) : null;
}

function changed(set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(key);
  else next.delete(key);
  return next;
}

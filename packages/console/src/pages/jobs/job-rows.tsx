// Only the rows in view and a few around them: however many jobs there are, the page has some dozens. The page itself scrolls,
// so that going back restores the position.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { jobs as words } from "#strings/jobs";
import { useRowChargesFault } from "../../api/charges.ts";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote } from "../../ui/states.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import type { JobList } from "./job-list.ts";
import { JobRow } from "./job-row.tsx";
import styles from "./jobs.module.css";
import { useLiveRows } from "./use-live-rows.ts";

const narrow = "(max-width: 48rem)";

export function JobRows(props: { readonly list: JobList; readonly onLabel: (label: string) => void }): ReactNode {
  const { list } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const now = useNow(1_000);
  const charges = useRowChargesFault();
  const box = useRef<HTMLUListElement>(null);
  const rowHeight = useRowHeight();
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    if (box.current) setMargin(box.current.getBoundingClientRect().top + scrollY);
  }, []);
  const rows = useWindowVirtualizer({
    count: list.jobs.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: margin,
    getItemKey: (at) => list.jobs[at]?.id ?? at,
  });
  useEffect(() => {
    if (rowHeight > 0) rows.measure();
  }, [rows, rowHeight]);
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useLiveRows(list, () => ({ from: rows.range?.startIndex ?? 0, to: rows.range?.endIndex ?? 0 }));
  const { hasMore, isFetchingMore, fetchMore } = list;
  const isNearEnd = lastShown >= list.jobs.length - 25;
  useEffect(() => {
    if (isNearEnd && hasMore && !isFetchingMore) fetchMore();
  }, [isNearEnd, hasMore, isFetchingMore, fetchMore]);
  const toggle = useCallback((id: string, isOn: boolean) => {
    setChosen((known) => new Set(isOn ? [...known, id] : [...known].filter((each) => each !== id)));
  }, []);
  return (
    <>
      <BulkBar list={list} chosen={chosen} onChoose={setChosen} />
      {charges.fault === null ? null : (
        <div className={styles.pad}>
          <FaultNote fault={charges.fault} title={words.list.noCharges} retry={charges.retry} />
        </div>
      )}
      <ul ref={box} className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={words.list.label}>
        {shown.map(({ index, key, start }) => {
          const job = list.jobs[index];
          if (job === undefined) return null;
          return (
            <li
              key={key}
              className={styles.row}
              data-row
              data-status={job.status}
              style={{ height: rowHeight, transform: `translateY(${start - margin}px)` }}
            >
              <JobRow job={job} now={now} isChosen={chosen.has(job.id)} onToggle={toggle} onLabel={props.onLabel} />
            </li>
          );
        })}
      </ul>
      <p className={styles.end}>
        <span className={kit.soft}>{(hasMore ? words.list.more : words.list.end)(words.jobs(list.jobs.length))}</span>
      </p>
    </>
  );
}

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const change = () => setNarrow(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return isNarrow ? 104 : 64;
}

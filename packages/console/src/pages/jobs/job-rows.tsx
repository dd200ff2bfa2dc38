// Only the rows in view and a few around them: however many jobs there are, the page has some dozens. The page itself scrolls,
// so that going back restores the position.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { jobs as words } from "#strings/jobs";
import { useRowChargesFault } from "../../api/charges.ts";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote } from "../../ui/states.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { BatchHead, GroupRow } from "./group-row.tsx";
import { type ListRow, listRows } from "./job-groups.ts";
import type { JobList, JobsFilter } from "./job-list.ts";
import { JobRow } from "./job-row.tsx";
import styles from "./jobs.module.css";
import { useLiveRows } from "./use-live-rows.ts";

const narrow = "(max-width: 48rem)";

interface RowsProps {
  readonly list: JobList;
  readonly filter: JobsFilter;
  readonly onLabel: (label: string) => void;
}

export function JobRows(props: RowsProps): ReactNode {
  const { list, filter } = props;
  const { entries, whole, toggleGroup } = useEntries(list, filter);
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
    count: entries.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: margin,
    getItemKey: (at) => keyOf(entries[at]) ?? at,
  });
  useEffect(() => {
    if (rowHeight > 0) rows.measure();
  }, [rows, rowHeight]);
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useLiveRows(list, () => jobsShown(entries, rows.range?.startIndex ?? 0, rows.range?.endIndex ?? 0));
  const { hasMore, isFetchingMore, fetchMore } = list;
  const isNearEnd = lastShown >= entries.length - 25;
  useEffect(() => {
    if (isNearEnd && hasMore && !isFetchingMore) fetchMore();
  }, [isNearEnd, hasMore, isFetchingMore, fetchMore]);
  const toggle = useCallback((id: string, isOn: boolean) => {
    setChosen((known) => new Set(isOn ? [...known, id] : [...known].filter((each) => each !== id)));
  }, []);
  return (
    <>
      <BulkBar list={list} filter={filter} chosen={chosen} onChoose={setChosen} />
      {whole === null ? null : <BatchHead group={whole} onChanged={() => void list.refresh(0)} />}
      {charges.fault === null ? null : (
        <div className={styles.pad}>
          <FaultNote fault={charges.fault} title={words.list.noCharges} retry={charges.retry} />
        </div>
      )}
      <ul ref={box} className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={words.list.label}>
        {shown.map(({ index, key, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          const style = { height: rowHeight, transform: `translateY(${start - margin}px)` };
          if (entry.kind === "group")
            return (
              <li key={key} className={styles.row} data-group={entry.group.batch} style={style}>
                <GroupRow
                  group={entry.group}
                  isOpen={entry.isOpen}
                  now={now}
                  onToggle={toggleGroup}
                  onChanged={() => void list.refresh(entry.at)}
                />
              </li>
            );
          const { job } = entry;
          return (
            <li
              key={key}
              className={styles.row}
              data-row
              data-status={job.status}
              data-in-group={entry.isInGroup}
              style={style}
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

// A list of one batch shows its jobs; any other list folds batches.
function useEntries(list: JobList, { q }: JobsFilter) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isOneBatch = /(^|[,;\s])batch=/.test(q);
  const entries = useMemo(
    () =>
      isOneBatch
        ? list.jobs.map((job, at) => ({ kind: "job", job, at, isInGroup: false }) as const)
        : listRows(list.jobs, opened),
    [list.jobs, opened, isOneBatch],
  );
  const toggleGroup = useCallback((batch: string) => {
    setOpened((known) => new Set(known.has(batch) ? [...known].filter((each) => each !== batch) : [...known, batch]));
  }, []);
  const [only] = isOneBatch ? listRows(list.jobs, new Set()) : [];
  return { entries, whole: only?.kind === "group" ? only.group : null, toggleGroup };
}

function keyOf(entry: ListRow | undefined): string | null {
  if (entry === undefined) return null;
  // The oldest job of a batch stays the same while newer ones arrive.
  return entry.kind === "job" ? entry.job.id : `${entry.group.batch} ${entry.group.jobs.at(-1)?.id}`;
}

// The jobs behind the rows in view, to refresh them.
function jobsShown(entries: readonly ListRow[], first: number, last: number): { from: number; to: number } {
  const [from, to] = [entries[first], entries[last]];
  return {
    from: from?.at ?? 0,
    to: to === undefined ? 0 : to.kind === "job" ? to.at : to.at + to.group.jobs.length - 1,
  };
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

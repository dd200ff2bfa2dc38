// Keeps the visible rows fresh: one request per tick, none while the page is hidden, fewer when nothing runs.
import { useEffect, useRef } from "react";
import { isActive } from "../../api/jobs.ts";
import type { JobList } from "./job-list.ts";

const activeMs = 2_000;
const calmMs = 8_000;

export function useLiveRows(list: JobList, range: () => { readonly from: number; readonly to: number }): void {
  const latest = useRef({ list, range });
  latest.current = { list, range };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    let turn = 0;
    let calmSince = 0;
    const tick = async () => {
      const rows = rowsToAsk();
      calmSince += activeMs;
      if (!document.hidden && (rows.isActive || calmSince >= calmMs)) {
        calmSince = 0;
        // If two pages are visible, refresh them in turn.
        const row = rows.rows[turn++ % rows.rows.length] ?? 0;
        await latest.current.list.refresh(row).catch(() => undefined);
      }
      if (!isOver) timer = setTimeout(tick, activeMs);
    };
    const rowsToAsk = () => {
      const { from, to } = latest.current.range();
      const shown = latest.current.list.jobs.slice(from, to + 1);
      const active = shown.flatMap((job, at) => (isActive(job) ? [from + at] : []));
      const ends = [active[0], active.at(-1)].filter((row) => row !== undefined);
      return { isActive: ends.length > 0, rows: ends.length > 0 ? [...new Set(ends)] : [from] };
    };
    // Coming back to an old list, fetch what is new right away.
    const isOld = Date.now() - latest.current.list.readAt > activeMs;
    if (isOld) void latest.current.list.refresh(0).catch(() => undefined);
    timer = setTimeout(tick, activeMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
}

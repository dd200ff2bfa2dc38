// The rows. New ones are highlighted for a moment; j and k move, Enter opens, Escape closes.
import type { UsageRow } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { requests as words } from "#strings/requests";
import { shared } from "#strings/shared";
import { Button } from "../../ui/button.tsx";
import { Ago, formatCredits, formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { OutcomeChip, subjectOf } from "../../ui/outcome.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import styles from "./requests.module.css";

export const idOf = (row: UsageRow) => row.request_id ?? row.call_id;

export function RequestList(props: {
  readonly rows: readonly UsageRow[];
  readonly fresh: ReadonlySet<string>;
  readonly isLive: boolean;
  readonly opened: string | undefined;
  readonly nameOf: (keyId: string | null) => string | null;
  readonly onOpen: (id: string | undefined) => void;
  readonly more: (() => void) | null;
  readonly isMore: boolean;
}): ReactNode {
  const { fresh } = props;
  useWalk(props.rows, props.opened, props.onOpen);
  return (
    <>
      <Scrollable className={kit.tableWrap} label={words.list}>
        <table className={`${kit.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{words.columns.outcome}</th>
              <th scope="col">{words.columns.what}</th>
              <th scope="col" data-wide>
                {words.columns.key}
              </th>
              <th scope="col" data-align="end" data-desk>
                {words.columns.took}
              </th>
              <th scope="col" data-align="end" data-beside data-desk>
                {words.columns.credits}
              </th>
              <th scope="col" data-align="end" data-desk>
                {words.columns.when}
              </th>
            </tr>
          </thead>
          <tbody>
            {props.rows.map((row) => (
              <Row key={row.id} row={row} {...props} isFresh={fresh.has(row.id)} />
            ))}
          </tbody>
        </table>
      </Scrollable>
      <p className="visually-hidden" role="status">
        {props.isLive ? words.arrived(fresh.size) : ""}
      </p>
      <div className={styles.foot}>
        {props.more === null ? (
          <span className={kit.soft}>{words.end}</span>
        ) : (
          <Button disabled={props.isMore} onClick={props.more}>
            {props.isMore ? words.loading : words.older}
          </Button>
        )}
      </div>
    </>
  );
}

function Row({
  row,
  isFresh,
  opened,
  nameOf,
  onOpen,
}: Pick<Parameters<typeof RequestList>[0], "opened" | "nameOf" | "onOpen"> & {
  readonly row: UsageRow;
  readonly isFresh: boolean;
}): ReactNode {
  const id = idOf(row);
  const { kind, name } = subjectOf(row.subject);
  return (
    <tr className={styles.row} data-fresh={isFresh} data-opened={id !== null && id === opened}>
      <td>
        <OutcomeChip outcome={row.replayed ? "replayed" : row.outcome} status={row.status} />
        {row.status === null || row.status < 400 ? null : <span className={styles.status}>{row.status}</span>}
      </td>
      <td className={styles.what}>
        {id === null ? (
          <span>{name}</span>
        ) : (
          <Link
            to="/console/requests/$requestId"
            params={{ requestId: id }}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || innerWidth < 900) return;
              event.preventDefault();
              onOpen(id);
            }}
          >
            {name}
          </Link>
        )}
        {kind === "model" ? null : <span className={kit.soft}> {kind}</span>}
        <small className={styles.rest}>
          {formatDuration(row.total_ms)}
          {Number(row.credits) === 0 ? "" : ` · ${shared.credits(formatCredits(row.credits))}`} · <Ago at={row.at} />
        </small>
      </td>
      <td data-wide className={styles.key} title={nameOf(row.api_key_id) ?? undefined}>
        {nameOf(row.api_key_id) ?? (row.api_key_id === null ? words.console : `…${row.api_key_id.slice(-6)}`)}
      </td>
      <td data-align="end" data-desk>
        {formatDuration(row.total_ms)}
      </td>
      <td data-align="end" data-beside data-desk>
        {Number(row.credits) === 0 ? <span className={kit.soft}>0</span> : formatCredits(row.credits)}
      </td>
      <td data-align="end" data-desk className={kit.soft}>
        <Ago at={row.at} />
      </td>
    </tr>
  );
}

// Rows that were not in the list when it was first shown, even if it was empty. Undefined until it is loaded.
export function useFresh(rows: readonly UsageRow[] | undefined): ReadonlySet<string> {
  const known = useRef<Set<string> | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (rows === undefined) return;
    if (known.current === null) {
      known.current = new Set(rows.map(({ id }) => id));
      return;
    }
    const seen = known.current;
    const newest = rows.findIndex(({ id }) => seen.has(id));
    const arrived = (newest < 0 ? rows : rows.slice(0, newest)).map(({ id }) => id);
    for (const { id } of rows) seen.add(id);
    if (arrived.length > 0) setFresh(new Set(arrived));
  }, [rows]);
  useEffect(() => {
    if (fresh.size === 0) return;
    const timer = setTimeout(() => setFresh(new Set()), 4_000);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}

function useWalk(rows: readonly UsageRow[], opened: string | undefined, open: (id: string | undefined) => void): void {
  const latest = useRef({ rows, opened, open });
  latest.current = { rows, opened, open };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest("input,select,textarea,dialog");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const { rows: all, opened: current, open: go } = latest.current;
      if (event.key === "Escape" && current !== undefined) go(undefined);
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined) return;
      const ids = all.flatMap((row) => idOf(row) ?? []);
      const at = current === undefined ? -1 : ids.indexOf(current);
      const next = ids[Math.min(ids.length - 1, Math.max(0, at + step))];
      if (next !== undefined) go(next);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

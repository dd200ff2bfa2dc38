// The errors that callers got, in every area of the API: refused requests that never became a call, too.
import type { ErrorAnswerRow } from "@atelier/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { requests } from "#strings/requests";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { OutcomeChip } from "../../ui/outcome.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import styles from "./requests.module.css";
import type { RequestsSearch } from "./requests-search.ts";

const words = requests.errors;

export function ErrorList(props: {
  readonly search: RequestsSearch;
  readonly isLive: boolean;
  readonly nameOf: (keyId: string | null) => string | null;
  readonly onOpen: (id: string) => void;
}): ReactNode {
  const { search } = props;
  const filter = { status: search.status === undefined ? undefined : Number(search.status), api_key_id: search.key };
  const list = useInfiniteQuery({
    ...readPages(["usage", "error answers", filter], operations.listErrorAnswers, { query: { ...filter, limit: 50 } }),
    refetchInterval: props.isLive ? 2_000 : false,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  if (rows === undefined)
    return (
      <div className={styles.wait}>
        <Pending fault={list.error} retry={list.refetch} height="2.4rem" count={8} />
      </div>
    );
  if (rows.length === 0) return <Empty title={words.empty}>{words.emptyText}</Empty>;
  return (
    <>
      <Scrollable className={kit.tableWrap} label={words.list}>
        <table className={`${kit.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{words.columns.answer}</th>
              <th scope="col">{words.columns.request}</th>
              <th scope="col" data-wide>
                {words.columns.key}
              </th>
              <th scope="col" data-align="end" data-desk>
                {words.columns.when}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.request_id} row={row} {...props} />
            ))}
          </tbody>
        </table>
      </Scrollable>
      <div className={styles.foot}>
        {list.hasNextPage ? (
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? requests.loading : words.older}
          </Button>
        ) : (
          <span className={kit.soft}>{words.end}</span>
        )}
      </div>
    </>
  );
}

function Row({
  row,
  search,
  nameOf,
  onOpen,
}: Omit<Parameters<typeof ErrorList>[0], "isLive"> & { readonly row: ErrorAnswerRow }): ReactNode {
  return (
    <tr className={styles.row} data-opened={row.request_id === search.peek}>
      <td>
        <OutcomeChip outcome={row.code} status={row.status} />
        <span className={styles.status}>{row.status}</span>
      </td>
      <td className={styles.answered}>
        <Link
          to="/console/requests/$requestId"
          params={{ requestId: row.request_id }}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || innerWidth < 900) return;
            event.preventDefault();
            onOpen(row.request_id);
          }}
        >
          {row.method} {row.path}
        </Link>
        <small>{row.message}</small>
      </td>
      <td data-wide className={styles.key}>
        {nameOf(row.api_key_id) ?? (row.api_key_id === null ? requests.console : `…${row.api_key_id.slice(-6)}`)}
      </td>
      <td data-align="end" data-desk className={kit.soft}>
        <Ago at={row.at} />
      </td>
    </tr>
  );
}

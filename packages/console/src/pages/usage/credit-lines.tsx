// The journal of the workspace's credits, newest line first; lines are only ever added.
import type { CreditLine } from "@atelier/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowDownToLine, Coins, Minus, RotateCcw, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago, creditsOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import styles from "./usage.module.css";
import { linesQuery } from "./usage-queries.ts";

const kinds = {
  fund: ["ok", ArrowDownToLine, "Topped up"],
  settle: ["plain", Minus, "Charged"],
  refund: ["info", RotateCcw, "Given back"],
  withdraw: ["warn", Upload, "Taken out"],
  hold: ["plain", Coins, "Set aside"],
  release: ["plain", Coins, "Released"],
} as const;

const columns: readonly Column<CreditLine>[] = [
  { name: "at", head: "When", cell: ({ at }) => <Ago at={at} /> },
  {
    name: "kind",
    head: "What",
    cell: ({ kind }) => {
      const [tone, icon, words] = kinds[kind];
      return (
        <Chip tone={tone} icon={icon}>
          {words}
        </Chip>
      );
    },
  },
  {
    name: "change",
    head: "Credits",
    align: "end",
    cell: ({ change }) => (
      <span className={Number(change) > 0 ? styles.plus : undefined} title={change}>
        {Number(change) > 0 ? "+" : ""}
        {creditsOf(change)}
      </span>
    ),
  },
  { name: "transaction", head: "Transaction", cell: ({ transaction_id }) => <CopyId id={transaction_id} /> },
];

export function CreditLines(): ReactNode {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(linesQuery);
  const lines = data?.pages.flatMap((page) => page.data);
  return (
    <Panel title="Journal of credits" flush>
      {error && lines === undefined ? (
        <FaultNote fault={error} retry={refetch} />
      ) : lines === undefined ? (
        <Skeleton height="2.4rem" count={5} />
      ) : lines.length === 0 ? (
        <Empty icon={Coins} title="No credit has moved yet">
          Nothing was put in and nothing was charged: what runs here is free, or has not run. An operator tops a
          workspace up with <code>atelier credits add</code>.
        </Empty>
      ) : (
        <Table
          label="Journal of credits"
          columns={columns}
          rows={lines}
          keyOf={({ transaction_id, kind, at }) => `${transaction_id} ${kind} ${at}`}
        />
      )}
      {hasNextPage ? (
        <div className={styles.more}>
          <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Older lines
          </Button>
          <span className={kit.soft}>{lines?.length} shown</span>
        </div>
      ) : null}
    </Panel>
  );
}

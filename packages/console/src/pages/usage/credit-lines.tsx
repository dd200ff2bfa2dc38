// The journal of the workspace's credits, newest line first; lines are only ever added.

import type { CreditLine } from "@atelier/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowDownToLine, Coins, Minus, RotateCcw, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { usage } from "#strings/usage";
import { More } from "../../ui/calls/more.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago, formatCredits } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./usage.module.css";
import { linesQuery } from "./usage-queries.ts";

const kinds = {
  fund: ["ok", ArrowDownToLine, usage.journal.kinds.fund],
  settle: ["plain", Minus, usage.journal.kinds.settle],
  refund: ["info", RotateCcw, usage.journal.kinds.refund],
  withdraw: ["warn", Upload, usage.journal.kinds.withdraw],
  hold: ["plain", Coins, usage.journal.kinds.hold],
  release: ["plain", Coins, usage.journal.kinds.release],
} as const;

const columns: readonly Column<CreditLine>[] = [
  { name: "at", head: usage.journal.columns.when, cell: ({ at }) => <Ago at={at} /> },
  {
    name: "kind",
    head: usage.journal.columns.what,
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
    head: usage.journal.columns.credits,
    align: "end",
    cell: ({ change }) => (
      <span className={Number(change) > 0 ? styles.plus : undefined} title={change}>
        {Number(change) > 0 ? "+" : ""}
        {formatCredits(change)}
      </span>
    ),
  },
  {
    name: "transaction",
    head: usage.journal.columns.transaction,
    cell: ({ transaction_id }) => <CopyId id={transaction_id} />,
  },
];

export function CreditLines(): ReactNode {
  const list = useInfiniteQuery(linesQuery);
  const lines = list.data?.pages.flatMap(({ data }) => data);
  return (
    <Panel title={usage.journal.title} flush>
      {lines === undefined ? (
        <Pending fault={list.error} retry={list.refetch} height="2.4rem" count={5} />
      ) : lines.length === 0 ? (
        <Empty icon={Coins} title={usage.journal.none}>
          <Rich text={usage.journal.noneText} command={<code>atelier credits add</code>} />
        </Empty>
      ) : (
        <Table
          label={usage.journal.title}
          columns={columns}
          rows={lines}
          keyOf={({ transaction_id, kind, at }) => `${transaction_id} ${kind} ${at}`}
        />
      )}
      <More of={list} className={styles.more} aside={usage.journal.shown(lines?.length ?? 0)}>
        {usage.journal.older}
      </More>
    </Panel>
  );
}

// Receivers whose last delivery failed: how often, whether they are paused, and whether we have stopped sending to them.

import type { WebhookReceiver } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban, CircleCheck, Moon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { webhooks } from "#strings/webhooks";
import { operations } from "../../api/operations.ts";
import { readList } from "../../api/read-query.ts";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import styles from "./webhooks.module.css";

const words = webhooks.receivers;
const columns: readonly Column<WebhookReceiver>[] = [
  { name: "state", head: words.columns.state, cell: (each) => <ReceiverState of={each} /> },
  {
    name: "receiver",
    head: words.columns.receiver,
    cell: ({ receiver }) => (
      <Link to="/console/webhooks" search={{ receiver }} className={styles.host}>
        {receiver}
      </Link>
    ),
  },
  { name: "failures", head: words.columns.failures, align: "end", cell: ({ failures }) => failures },
  { name: "since", head: words.columns.since, cell: ({ failing_since }) => <Ago at={failing_since} /> },
  { name: "why", head: words.columns.now, cell: (each) => <span className={styles.now}>{whatNow(each)}</span> },
];

export function Receivers(): ReactNode {
  const { data, error, refetch } = useQuery({
    ...readList(["webhooks", "receivers"], operations.listWebhookReceivers),
    refetchInterval: 10_000,
  });
  return (
    <Panel title={words.title} flush>
      {data === undefined ? (
        <Pending fault={error} retry={refetch} className={styles.pad} height="2.2rem" count={2} />
      ) : data.length === 0 ? (
        <Empty icon={CircleCheck} title={words.none}>
          {words.noneText}
        </Empty>
      ) : (
        <Table label={words.title} columns={columns} rows={data} keyOf={({ receiver }) => receiver} />
      )}
    </Panel>
  );
}

function ReceiverState({ of }: { readonly of: WebhookReceiver }): ReactNode {
  if (of.disabled_at !== null)
    return (
      <Chip tone="bad" icon={Ban}>
        {words.disabled}
      </Chip>
    );
  return of.resting_until !== null ? (
    <Chip tone="warn" icon={Moon}>
      {words.resting}
    </Chip>
  ) : (
    <Chip tone="warn" icon={TriangleAlert}>
      {words.failing}
    </Chip>
  );
}

function whatNow({ disabled_at, resting_until }: WebhookReceiver): string {
  if (disabled_at !== null) return words.disabledText;
  if (resting_until !== null) return words.restingText;
  return words.failingText;
}

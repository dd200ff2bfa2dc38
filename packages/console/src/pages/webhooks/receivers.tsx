// Receivers whose last delivery failed: how often, whether they are paused, and whether we have stopped sending to them.
import type { WebhookReceiver } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban, CircleCheck, Moon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import styles from "./webhooks.module.css";

const columns: readonly Column<WebhookReceiver>[] = [
  { name: "state", head: "State", cell: (each) => <ReceiverState of={each} /> },
  {
    name: "receiver",
    head: "Receiver",
    cell: ({ receiver }) => (
      <Link to="/console/webhooks" search={{ receiver }} className={styles.host}>
        {receiver}
      </Link>
    ),
  },
  { name: "failures", head: "Failures in a row", align: "end", cell: ({ failures }) => failures },
  { name: "since", head: "Failing since", cell: ({ failing_since }) => <Ago at={failing_since} /> },
  { name: "why", head: "What now", cell: (each) => <span className={styles.now}>{whatNow(each)}</span> },
];

export function Receivers(): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["webhooks", "receivers"],
    refetchInterval: 10_000,
    queryFn: async ({ signal }) => (await call(operations.listWebhookReceivers, { signal })).data,
  });
  return (
    <Panel title="Receivers that fail" flush>
      {error && data === undefined ? (
        <FaultNote fault={error} retry={refetch} />
      ) : data === undefined ? (
        <div className={styles.pad}>
          <Skeleton height="2.2rem" count={2} />
        </div>
      ) : data.length === 0 ? (
        <Empty icon={CircleCheck} title="All receivers are well">
          A receiver (scheme, host and port) is listed here while its last attempt failed.
        </Empty>
      ) : (
        <Table label="Receivers that fail" columns={columns} rows={data} keyOf={({ receiver }) => receiver} />
      )}
    </Panel>
  );
}

function ReceiverState({ of }: { readonly of: WebhookReceiver }): ReactNode {
  if (of.disabled_at !== null)
    return (
      <Chip tone="bad" icon={Ban}>
        Disabled
      </Chip>
    );
  return of.resting_until !== null ? (
    <Chip tone="warn" icon={Moon}>
      Resting
    </Chip>
  ) : (
    <Chip tone="warn" icon={TriangleAlert}>
      Failing
    </Chip>
  );
}

function whatNow({ disabled_at, resting_until }: WebhookReceiver): string {
  if (disabled_at !== null)
    return "Five days without a success: nothing is sent to it until a redelivery or a test succeeds.";
  if (resting_until !== null) return "Five failures in a row: it is tried once a minute until it answers.";
  return "Each delivery is tried again by its schedule.";
}

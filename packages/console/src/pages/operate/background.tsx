// The background work of the service's processes, and which of its credentials were rejected elsewhere.

import { useQuery } from "@tanstack/react-query";
import { Check, CircleDashed, Loader, ShieldCheck, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { system as words } from "#strings/system";
import { type BackgroundProcess, backgroundQuery, refusedQuery } from "../../api/admin.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Ago, formatDuration } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";

export function BackgroundWork(): ReactNode {
  const { data, error, refetch } = useQuery(backgroundQuery);
  if (data === undefined) return <Pending fault={error} retry={refetch} height="24rem" />;
  if (data.data.length === 0)
    return (
      <Panel>
        <Empty icon={CircleDashed} title={words.background.none}>
          <p>{words.background.noneText}</p>
        </Empty>
      </Panel>
    );
  return data.data.map((process) => <OneProcess key={process.id} of={process} />);
}

function OneProcess({ of: process }: { readonly of: BackgroundProcess }): ReactNode {
  return (
    <Panel
      flush
      title={process.name}
      actions={
        <span className={kit.soft}>
          <Rich
            text={words.background.since}
            started={<Ago at={process.started_at} />}
            seen={<Ago at={process.seen_at} />}
          />
        </span>
      }
    >
      {process.problems.length > 0 ? (
        <ul className={styles.rows}>
          {process.problems.map((problem) => (
            <li key={problem}>
              <span>
                <Chip tone="warn" icon={TriangleAlert}>
                  {words.background.warning}
                </Chip>
              </span>
              <div className={styles.message} style={{ gridColumn: "2 / -1" }}>
                {problem}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <Table
        label={words.background.table(process.name)}
        rows={process.works}
        keyOf={({ name }) => name}
        columns={[
          { name: "name", head: words.background.columns.work, cell: ({ name }) => name },
          { name: "state", head: words.background.columns.last, cell: (work) => <RoundChip of={work} /> },
          {
            name: "when",
            head: words.background.columns.when,
            cell: ({ last }) =>
              last ? <Ago at={last.started_at} /> : <span className={kit.soft}>{words.background.notYet}</span>,
          },
          {
            name: "took",
            head: words.background.columns.took,
            align: "end",
            cell: ({ last }) => formatDuration(last?.duration_ms),
          },
          {
            name: "every",
            head: words.background.columns.every,
            align: "end",
            cell: ({ every_seconds }) => formatDuration(every_seconds * 1_000),
          },
          {
            name: "rounds",
            head: words.background.columns.rounds,
            align: "end",
            cell: ({ rounds }) => rounds.toLocaleString(),
          },
          {
            name: "failures",
            head: words.background.columns.failures,
            align: "end",
            cell: ({ failures }) => failures.toLocaleString(),
          },
        ]}
      />
    </Panel>
  );
}

function RoundChip({ of: work }: { readonly of: BackgroundProcess["works"][number] }): ReactNode {
  if (work.last?.result === "failed")
    return (
      <Chip tone="bad" icon={X} {...(work.last.problem ? { title: work.last.problem } : {})}>
        {words.background.failed}
      </Chip>
    );
  if (work.is_running)
    return (
      <Chip tone="info" icon={Loader}>
        {words.background.running}
      </Chip>
    );
  if (work.last)
    return (
      <Chip tone="ok" icon={Check}>
        {words.background.succeeded}
      </Chip>
    );
  return <Chip icon={CircleDashed}>{words.background.waiting}</Chip>;
}

export function RefusedCredentials(): ReactNode {
  const { data, error, refetch } = useQuery(refusedQuery);
  if (data === undefined) return <Pending fault={error} retry={refetch} height="14rem" />;
  if (data.data.length === 0)
    return (
      <Panel>
        <Empty icon={ShieldCheck} title={words.rejected.none}>
          <p>{words.rejected.noneText}</p>
        </Empty>
      </Panel>
    );
  return (
    <Panel title={words.rejected.title} flush>
      <ul>
        {data.data.map(({ refused_by, setting, provider_status, provider_words, times, last_at }) => (
          <li key={`${refused_by} ${setting}`} className={styles.item}>
            <div className={styles.who}>
              <Heading>
                {refused_by}
                <Chip tone="bad" icon={X}>
                  {provider_status}
                </Chip>
              </Heading>
              <code>{setting}</code>
              {provider_words ? <div className={kit.soft}>“{provider_words}”</div> : null}
            </div>
            <span className={kit.soft}>
              <Rich text={words.rejected.times} times={words.rejected.count(times)} when={<Ago at={last_at} />} />
            </span>
            <LinkButton small to="/console/providers">
              {words.rejected.providers}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

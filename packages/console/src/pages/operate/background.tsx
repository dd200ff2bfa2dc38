// The background work of the service's processes, and which of its credentials were rejected elsewhere.

import { useQuery } from "@tanstack/react-query";
import { Check, CircleDashed, Loader, ShieldCheck, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { type BackgroundProcess, backgroundQuery, refusedQuery } from "../../api/admin.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Ago, spanOf } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./operate.module.css";

export function BackgroundWork(): ReactNode {
  const { data, error, refetch } = useQuery(backgroundQuery);
  if (data === undefined) return error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="24rem" />;
  if (data.data.length === 0)
    return (
      <Panel>
        <Empty icon={CircleDashed} title="No process has reported yet">
          <p>Each process writes down every 15 seconds what it does by itself. Wait a moment.</p>
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
          started <Ago at={process.started_at} />, seen <Ago at={process.seen_at} />
        </span>
      }
    >
      {process.problems.length > 0 ? (
        <ul className={styles.rows}>
          {process.problems.map((words) => (
            <li key={words}>
              <span>
                <Chip tone="warn" icon={TriangleAlert}>
                  Warning
                </Chip>
              </span>
              <div className={styles.message} style={{ gridColumn: "2 / -1" }}>
                {words}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <Table
        label={`Work of ${process.name}`}
        rows={process.works}
        keyOf={({ name }) => name}
        columns={[
          { name: "name", head: "Work", cell: ({ name }) => name },
          { name: "state", head: "Last round", cell: (work) => <RoundChip of={work} /> },
          {
            name: "when",
            head: "When",
            cell: ({ last }) => (last ? <Ago at={last.started_at} /> : <span className={kit.soft}>not yet</span>),
          },
          { name: "took", head: "Took", align: "end", cell: ({ last }) => spanOf(last?.duration_ms) },
          { name: "every", head: "Every", align: "end", cell: ({ every_seconds }) => spanOf(every_seconds * 1_000) },
          { name: "rounds", head: "Rounds", align: "end", cell: ({ rounds }) => rounds.toLocaleString() },
          { name: "failures", head: "Failed", align: "end", cell: ({ failures }) => failures.toLocaleString() },
        ]}
      />
    </Panel>
  );
}

function RoundChip({ of: work }: { readonly of: BackgroundProcess["works"][number] }): ReactNode {
  if (work.last?.result === "failed")
    return (
      <Chip tone="bad" icon={X} {...(work.last.problem ? { title: work.last.problem } : {})}>
        Failed
      </Chip>
    );
  if (work.is_running)
    return (
      <Chip tone="info" icon={Loader}>
        Running
      </Chip>
    );
  if (work.last)
    return (
      <Chip tone="ok" icon={Check}>
        Succeeded
      </Chip>
    );
  return <Chip icon={CircleDashed}>Waiting</Chip>;
}

export function RefusedCredentials(): ReactNode {
  const { data, error, refetch } = useQuery(refusedQuery);
  if (data === undefined) return error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="14rem" />;
  if (data.data.length === 0)
    return (
      <Panel>
        <Empty icon={ShieldCheck} title="No credential was refused in the last seven days">
          <p>
            When a provider or partner does not accept a credential of this server, it is listed here by its setting.
          </p>
        </Empty>
      </Panel>
    );
  return (
    <Panel title="Refused in the last seven days" flush>
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
              {times === 1 ? "once" : `${times} times`}, last <Ago at={last_at} />
            </span>
            <LinkButton small to="/console/providers">
              Providers
            </LinkButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

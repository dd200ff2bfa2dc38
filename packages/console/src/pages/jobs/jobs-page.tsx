// All jobs of the workspace, newest first, live.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListTodo, Search } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { jobs as words } from "#strings/jobs";
import { configQuery } from "../../api/config.ts";
import { queueQuery } from "../../api/jobs.ts";
import { Button, IconButton, LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { useJobList } from "./job-list.ts";
import { JobRows } from "./job-rows.tsx";
import styles from "./jobs.module.css";
import { PausedNote, QueueButton } from "./queue-control.tsx";
import { firstJob } from "./snippets.ts";
import type { StatusTab } from "./tabs.ts";

const route = getRouteApi("/console/jobs");

// We count active jobs only: the server would have to count the ended ones again at every look.
const tabs = [
  { name: "all", label: words.statuses.all },
  { name: "active", label: <ActiveLabel /> },
  { name: "succeeded", label: words.statuses.succeeded },
  { name: "failed", label: words.statuses.failed },
  { name: "canceled", label: words.statuses.canceled },
] as const satisfies readonly { name: StatusTab; label: ReactNode }[];

export function JobsPage(): ReactNode {
  const { status = "all", q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const filterBy = (text: string) =>
    void navigate({ search: (old) => ({ ...old, q: text === "" ? undefined : text }) as typeof old });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <QueueButton />
        <LinkButton to="/console/workflows" look="primary">
          {words.runWorkflow}
        </LinkButton>
      </PageHead>
      <PausedNote />
      <Panel flush>
        <div className={styles.filters}>
          <FindBox text={q} onFind={filterBy} />
        </div>
        <Tabs
          label={words.byStatus}
          tabs={tabs}
          chosen={status}
          onChoose={(name) =>
            void navigate({ search: (old) => ({ ...old, status: name === "all" ? undefined : name }) as typeof old })
          }
        >
          <List key={`${status} ${q}`} status={status} q={q} onLabel={filterBy} />
        </Tabs>
      </Panel>
    </>
  );
}

// Reserves its width, so nothing moves when the count arrives.
function ActiveLabel(): ReactNode {
  const { data: config } = useQuery(configQuery);
  const hasQueue = config?.surface !== "self_hosted";
  const { data: queue } = useQuery({ ...queueQuery, enabled: hasQueue });
  const count = queue === undefined ? null : queue.running + queue.queued;
  return (
    <>
      {words.statuses.active}
      {hasQueue ? <span className={styles.count}>{count !== null && count > 99 ? "99+" : count}</span> : null}
    </>
  );
}

function List(props: {
  readonly status: StatusTab;
  readonly q: string;
  readonly onLabel: (label: string) => void;
}): ReactNode {
  const list = useJobList(props);
  if (list.isPending)
    return (
      <div className={styles.pad}>
        <Skeleton height="3.4rem" count={8} />
      </div>
    );
  if (list.fault && list.jobs.length === 0)
    return (
      <div className={styles.pad}>
        <FaultNote fault={list.fault} retry={list.retry} />
      </div>
    );
  if (list.jobs.length === 0) return <NoJobs {...props} />;
  return <JobRows list={list} filter={{ status: props.status, q: props.q }} onLabel={props.onLabel} />;
}

function FindBox({ text, onFind }: { readonly text: string; readonly onFind: (text: string) => void }): ReactNode {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onFind(typed.trim());
  };
  return (
    <search className={styles.findBox}>
      <form onSubmit={find}>
        <input
          type="search"
          aria-label={words.find.label}
          placeholder={words.find.hint}
          className={kit.input}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value === "") onFind("");
          }}
        />
        <IconButton label={words.find.action} type="submit">
          <Search aria-hidden="true" />
        </IconButton>
      </form>
    </search>
  );
}

function NoJobs({ status, q, onLabel }: Parameters<typeof List>[0]): ReactNode {
  const { data: config } = useQuery(configQuery);
  const base = baseOf(config?.base_url ?? location.origin);
  if (q !== "")
    return (
      <Empty
        icon={Search}
        title={words.noMatch.title}
        actions={<Button onClick={() => onLabel("")}>{words.showAll}</Button>}
      >
        <p>
          {status === "all" ? (
            <Rich text={words.noMatch.all} query={<code>{q}</code>} />
          ) : (
            <Rich text={words.noMatch.inStatus} status={words.statuses[status]} query={<code>{q}</code>} />
          )}
        </p>
      </Empty>
    );
  if (status !== "all")
    return (
      <Empty
        icon={ListTodo}
        title={words.none[status]}
        actions={<LinkButton to="/console/jobs">{words.showAll}</LinkButton>}
      />
    );
  return (
    <Empty
      icon={ListTodo}
      title={words.empty.title}
      actions={
        <LinkButton to="/console/workflows" look="primary">
          {words.empty.action}
        </LinkButton>
      }
    >
      <p>{words.empty.text}</p>
      <CodeBlock code={firstJob(base)} />
    </Empty>
  );
}

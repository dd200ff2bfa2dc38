// All jobs of the workspace, newest first, live.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListTodo, Search } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { configQuery } from "../../api/config.ts";
import { queueQuery } from "../../api/jobs.ts";
import { Button, IconButton, LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { baseOf, cliCommand } from "../../ui/snippets/clients.ts";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useJobList } from "./job-list.ts";
import { JobRows } from "./job-rows.tsx";
import styles from "./jobs.module.css";
import type { StatusTab } from "./tabs.ts";

const route = getRouteApi("/console/jobs");

// We count active jobs only: the server would have to count the ended ones again at every look.
const tabs = [
  { name: "all", label: "All" },
  { name: "active", label: <ActiveLabel /> },
  { name: "succeeded", label: "Succeeded" },
  { name: "failed", label: "Failed" },
  { name: "canceled", label: "Canceled" },
] as const satisfies readonly { name: StatusTab; label: ReactNode }[];

export function JobsPage(): ReactNode {
  const { status = "all", q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const filterBy = (text: string) =>
    void navigate({ search: (old) => ({ ...old, q: text === "" ? undefined : text }) as typeof old });
  return (
    <>
      <PageHead title="Jobs" lead="Every graph that was submitted, newest first. Rows follow what runs.">
        <LinkButton to="/console/workflows" look="primary">
          Run a workflow
        </LinkButton>
      </PageHead>
      <Panel flush>
        <div className={styles.filters}>
          <FindBox text={q} onFind={filterBy} />
        </div>
        <Tabs
          label="Jobs by state"
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
      Active
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
  return <JobRows list={list} onLabel={props.onLabel} />;
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
          aria-label="Find jobs by id or label"
          placeholder="Job id, label, or key=value, key=value"
          className={kit.input}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value === "") onFind("");
          }}
        />
        <IconButton label="Find" type="submit">
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
      <Empty icon={Search} title="No job matches" actions={<Button onClick={() => onLabel("")}>Show all jobs</Button>}>
        <p>
          The server looked for <code>{q}</code> among all jobs of this workspace
          {status === "all" ? "" : ` that are ${status}`}. A label is found by its whole text, a job by its whole id.
        </p>
      </Empty>
    );
  if (status !== "all")
    return (
      <Empty
        icon={ListTodo}
        title={status === "active" ? "Nothing runs now" : `No job is ${status}`}
        actions={<LinkButton to="/console/jobs">Show all jobs</LinkButton>}
      />
    );
  return (
    <Empty
      icon={ListTodo}
      title="No jobs yet"
      actions={
        <LinkButton to="/console/workflows" look="primary">
          Run an example
        </LinkButton>
      }
    >
      <p>A job is one run of a graph. Run one here, or from a shell:</p>
      <CodeBlock code={`${cliCommand(base)} run workflow.json --base-url ${base} -o out/`} />
    </Empty>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Cpu } from "lucide-react";
import type { ReactNode } from "react";
import { workers as words } from "#strings/workers";
import { type PoolWorker, poolQuery, poolWorkersQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Pending } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { Deployments } from "./deployments.tsx";
import { Environments } from "./environments.tsx";
import styles from "./operate.module.css";
import type { WorkerTab } from "./operate-search.ts";
import { ForOperators, useOperating } from "./operator.tsx";
import { Scalers } from "./scalers.tsx";
import { Weights } from "./weights.tsx";
import { NewTokenButton, WorkerTokens } from "./worker-tokens.tsx";

const route = getRouteApi("/console/workers");

const tabs = [
  { name: "workers", label: words.tabs.workers },
  { name: "deployments", label: words.tabs.deployments },
  { name: "environments", label: words.tabs.environments },
  { name: "weights", label: words.tabs.weights },
  { name: "tokens", label: words.tabs.tokens },
] as const;

export function WorkersPage(): ReactNode {
  const { tab = "workers" } = route.useSearch();
  const navigate = route.useNavigate();
  const { isOperator, why } = useOperating();
  const choose = (name: WorkerTab) => navigate({ search: name === "workers" ? {} : { tab: name } });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <NewTokenButton why={why} />
      </PageHead>
      {isOperator === false ? (
        <ForOperators>{null}</ForOperators>
      ) : (
        <Tabs label={words.sections} tabs={tabs} chosen={tab} onChoose={choose}>
          <div className={styles.tabBody}>
            <ForOperators>
              {tab === "workers" ? <SharedPool /> : null}
              {tab === "deployments" ? <Deployments /> : null}
              {tab === "environments" ? <Environments /> : null}
              {tab === "weights" ? <Weights /> : null}
              {tab === "tokens" ? <WorkerTokens /> : null}
            </ForOperators>
          </div>
        </Tabs>
      )}
    </>
  );
}

function SharedPool(): ReactNode {
  const { data, error, refetch } = useQuery(poolWorkersQuery("shared"));
  const { data: pool, error: poolError, refetch: readPool } = useQuery(poolQuery("shared"));
  if (data === undefined) return <Pending fault={error} retry={refetch} height="10rem" />;
  const slots = data.data.reduce((sum, worker) => sum + worker.slots, 0);
  return (
    <Panel
      flush
      title={words.pool.title}
      actions={<span className={kit.soft}>{words.pool.summary(data.data.length, words.jobsAtOnce(slots))}</span>}
    >
      {poolError && pool === undefined ? <FaultNote fault={poolError} retry={readPool} /> : null}
      {pool && (pool.lock_id !== null || pool.scalers.length > 0) ? (
        <div className={styles.poolNotes}>
          {pool.lock_id === null ? null : (
            <div className={kit.soft}>{words.pool.pinned(pool.lock_id.slice(0, 12))}</div>
          )}
          <Scalers of={pool.scalers} />
        </div>
      ) : null}
      {data.data.length === 0 ? (
        <Empty
          icon={Cpu}
          title={words.pool.none}
          actions={
            <LinkButton to="/console/workers" search={{ tab: "tokens" }}>
              {words.pool.openTokens}
            </LinkButton>
          }
        >
          <p>{words.pool.noneText}</p>
        </Empty>
      ) : (
        <ul>
          {data.data.map((worker) => (
            <WorkerRow key={worker.id} of={worker} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const jobsShown = 3;

// Lists workers that reported within the last minute; one without a slot takes no more jobs.
function WorkerRow({ of: worker }: { readonly of: PoolWorker }): ReactNode {
  const takesJobs = worker.slots > 0 && !worker.draining;
  const isBusy = worker.jobs.length > 0;
  const differs = worker.problems.length > 0;
  return (
    <li className={styles.item} data-worker={worker.id}>
      <div className={styles.who}>
        <Heading>
          {worker.name}
          <Chip tone={differs ? "warn" : isBusy ? "ok" : "plain"} icon={Cpu}>
            {differs ? words.pool.differs : stateOf(takesJobs, isBusy)}
          </Chip>
        </Heading>
        <span className={kit.soft}>
          {worker.engine === "application" ? words.application : words.embedded} {worker.version} ·{" "}
          {words.pool.nodeClasses(worker.node_classes)} · <CopyId id={worker.id} />
          {worker.lock_id ? ` · ${words.pool.lock(worker.lock_id.slice(0, 12))}` : ""}
        </span>
        {worker.problems.map((problem) => (
          <div key={problem} className={styles.wrong}>
            {problem}
          </div>
        ))}
        {worker.models_loaded.length > 0 ? (
          <div className={kit.soft}>{words.pool.loaded(worker.models_loaded.join(", "))}</div>
        ) : null}
      </div>
      <div>
        {words.pool.use(worker.jobs.length, worker.slots)}
        {worker.jobs.slice(0, jobsShown).map((job) => (
          <div key={job.id} className={kit.soft}>
            <CopyId id={job.id} /> <Ago at={job.started_at} />
          </div>
        ))}
        {worker.jobs.length > jobsShown ? (
          <div className={kit.soft}>{words.pool.more(worker.jobs.length - jobsShown)}</div>
        ) : null}
      </div>
      <span className={kit.soft}>
        <Rich text={words.pool.heartbeat} when={<Ago at={worker.seen_at} />} />
      </span>
      <DrainButton of={worker} />
    </li>
  );
}

function stateOf(takesJobs: boolean, isBusy: boolean): string {
  if (!takesJobs) return words.pool.draining;
  return isBusy ? words.pool.active : words.pool.idle;
}

// A drained worker finishes what it has and takes nothing more, so that its machine can be stopped.
function DrainButton({ of: worker }: { readonly of: PoolWorker }): ReactNode {
  const queries = useQueryClient();
  const change = useChange({
    change: () =>
      call(operations.changePoolWorker, {
        params: { poolId: "shared", workerId: worker.id },
        json: { draining: !worker.draining },
      }),
    said: () => (worker.draining ? words.pool.resumed : words.pool.drained)(worker.name),
    after: () => queries.invalidateQueries({ queryKey: poolWorkersQuery("shared").queryKey }),
    failed: words.pool.changeFailed(worker.name),
  });
  return (
    <Button
      small
      does={operations.changePoolWorker}
      disabled={change.isPending}
      title={words.pool.drainHint}
      onClick={() => change.mutate()}
    >
      {worker.draining ? words.pool.resume : words.pool.drain}
    </Button>
  );
}

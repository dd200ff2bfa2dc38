// Deployments: dedicated pools with one pinned environment, and whether they have the workers they want.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Check, CircleDashed, Layers, Plus, Square } from "lucide-react";
import { type ReactNode, useState } from "react";
import { workers } from "#strings/workers";
import { type Deployment, deploymentsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";
import { Pager } from "./pager.tsx";
import { Scalers } from "./scalers.tsx";

const words = workers.deployments;
const route = getRouteApi("/console/workers");

const states = {
  ready: ["ok", Check, words.states.ready],
  provisioning: ["warn", CircleDashed, words.states.provisioning],
  stopped: ["plain", Square, words.states.stopped],
} as const;

export function Deployments(): ReactNode {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useQuery({ ...deploymentsQuery(cursor), placeholderData: keepPreviousData });
  const add = (
    <Button small does={operations.createDeployment} onClick={() => setMaking(true)}>
      <Plus aria-hidden="true" />
      {words.create}
    </Button>
  );
  if (data === undefined) return <Pending fault={error} retry={refetch} height="12rem" />;
  return (
    <Panel title={words.title} actions={add} flush>
      {data.data.length === 0 ? (
        <Empty icon={Layers} title={words.none}>
          <p>{words.noneText}</p>
        </Empty>
      ) : (
        <ul>
          {data.data.map((deployment) => (
            <DeploymentRow key={deployment.id} of={deployment} />
          ))}
        </ul>
      )}
      <Pager
        isFirst={cursor === undefined}
        next={data.next_cursor}
        onTurn={(next) => navigate({ search: { tab: "deployments", ...(next === undefined ? {} : { cursor: next }) } })}
      />
      <Dialog title={words.create} isOpen={isMaking} onClose={() => setMaking(false)}>
        <DeploymentForm onClose={() => setMaking(false)} />
      </Dialog>
    </Panel>
  );
}

function DeploymentRow({ of: deployment }: { readonly of: Deployment }): ReactNode {
  const [isStopping, setStopping] = useState(false);
  const [tone, icon, word] = states[deployment.state];
  const turning = useChange({
    change: (verb: "start" | "stop") =>
      call(verb === "start" ? operations.startDeployment : operations.stopDeployment, {
        params: { deploymentId: deployment.id },
      }),
    stale: [["admin", "deployments"]],
    after: () => setStopping(false),
    failed: words.changeFailed(deployment.name),
  });
  const isStopped = deployment.state === "stopped";
  return (
    <li className={styles.item} data-deployment={deployment.id}>
      <div className={styles.who}>
        <Heading>
          {deployment.name}
          <Chip tone={tone} icon={icon}>
            {word}
          </Chip>
        </Heading>
        <span className={kit.soft}>
          <CopyId id={deployment.id} /> · <code>{deployment.urls.mount}</code> · {deployment.environment.engine}{" "}
          {deployment.environment.engine_version ?? words.anyVersion}
          {deployment.environment.lock_id ? ` · ${words.pinned(deployment.environment.lock_id.slice(0, 12))}` : ""}
        </span>
        {deployment.reason ? <div className={kit.soft}>{deployment.reason}</div> : null}
        {deployment.workers.map((worker) => (
          <div key={worker.id} className={kit.soft}>
            <Rich
              text={words.worker}
              name={worker.name}
              jobs={workers.jobsAtOnce(worker.slots)}
              when={<Ago at={worker.seen_at} />}
            />
            {worker.matches ? "" : words.mismatch(worker.problems.join(" "))}
          </div>
        ))}
        <Scalers of={deployment.scalers} />
      </div>
      <span>
        {words.workers(deployment.workers.length, deployment.workers_wanted)}
        <div className={kit.soft}>{words.jobs(deployment.unfinished_jobs)}</div>
      </span>
      <Button
        small
        does={operations.startDeployment}
        look={isStopped ? undefined : "danger"}
        aria-label={isStopped ? words.startOf(deployment.name) : words.stopOf(deployment.name)}
        disabled={turning.isPending}
        onClick={() => (isStopped ? turning.mutate("start") : setStopping(true))}
      >
        {isStopped ? words.start : words.stop}
      </Button>
      <Confirm
        title={words.stopTitle}
        action={words.stopAction}
        isOpen={isStopping}
        isBusy={turning.isPending}
        onClose={() => setStopping(false)}
        onConfirm={() => turning.mutate("stop")}
      >
        <p>
          <Rich text={words.stopText} name={<strong>{deployment.name}</strong>} />
        </p>
      </Confirm>
    </li>
  );
}

const engines = [
  { value: "embedded", label: workers.embedded },
  { value: "application", label: workers.application },
];

function DeploymentForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { draft, text } = useDraft({ name: "", most: "1" });
  const [engine, setEngine] = useState<"application" | "embedded">("embedded");
  const name = draft.name.trim();
  const isNumber = /^[1-9]\d{0,2}$/.test(draft.most.trim());
  return (
    <ChangeForm
      action={words.createAction}
      why={name === "" ? words.nameFirst : isNumber ? null : words.countFirst}
      change={() =>
        call(operations.createDeployment, {
          json: { name, environment: { engine }, workers_max: Number(draft.most) },
        })
      }
      stale={[["admin", "deployments"]]}
      said={(made) => words.created(made.name)}
      onClose={onClose}
    >
      <TextField label={words.name} required maxLength={100} {...text("name")} />
      <SelectField
        label={words.engine}
        choices={engines}
        value={engine}
        onChange={(event) => setEngine(event.target.value === "application" ? "application" : "embedded")}
      />
      <TextField label={words.most} inputMode="numeric" hint={words.mostHint} {...text("most")} />
    </ChangeForm>
  );
}

// Deployments: dedicated pools with one pinned environment, and whether they have the workers they want.

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Check, CircleDashed, Layers, Plus, Square } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Deployment, deploymentsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./operate.module.css";
import { Pager } from "./pager.tsx";

const route = getRouteApi("/console/workers");

const states = {
  ready: ["ok", Check, "Ready"],
  provisioning: ["warn", CircleDashed, "Waits for workers"],
  stopped: ["plain", Square, "Stopped"],
} as const;

export function Deployments(): ReactNode {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useQuery({ ...deploymentsQuery(cursor), placeholderData: keepPreviousData });
  const add = (
    <Button small onClick={() => setMaking(true)}>
      <Plus aria-hidden="true" />
      New deployment
    </Button>
  );
  if (data === undefined) return error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="12rem" />;
  return (
    <Panel title="Deployments" actions={add} flush>
      {data.data.length === 0 ? (
        <Empty icon={Layers} title="No deployment yet">
          <p>A deployment has an address, an environment and workers of its own, beside the shared pool.</p>
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
      <Dialog title="New deployment" isOpen={isMaking} onClose={() => setMaking(false)}>
        <DeploymentForm onClose={() => setMaking(false)} />
      </Dialog>
    </Panel>
  );
}

function DeploymentRow({ of: deployment }: { readonly of: Deployment }): ReactNode {
  const queries = useQueryClient();
  const [isStopping, setStopping] = useState(false);
  const [tone, icon, word] = states[deployment.state];
  const turning = useMutation({
    mutationFn: (verb: "start" | "stop") => call(`/admin/deployments/${deployment.id}/${verb}`, { method: "POST" }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ["admin", "deployments"] });
      setStopping(false);
    },
    onError: (thrown) => toastFault(thrown, `${deployment.name} was not changed`),
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
          {deployment.environment.engine_version ?? "any version"}
        </span>
        {deployment.reason ? <div className={kit.soft}>{deployment.reason}</div> : null}
        {deployment.workers.map((worker) => (
          <div key={worker.id} className={kit.soft}>
            {worker.name}, {worker.slots} at once, heartbeat <Ago at={worker.seen_at} />
            {worker.matches ? "" : `, does not match: ${worker.problems.join(" ")}`}
          </div>
        ))}
      </div>
      <span>
        {deployment.workers.length} of {deployment.workers_wanted} workers
        <div className={kit.soft}>{deployment.unfinished_jobs.toLocaleString()} jobs wait or run</div>
      </span>
      <Button
        small
        look={isStopped ? undefined : "danger"}
        aria-label={`${isStopped ? "Start" : "Stop"} ${deployment.name}`}
        disabled={turning.isPending}
        onClick={() => (isStopped ? turning.mutate("start") : setStopping(true))}
      >
        {isStopped ? "Start" : "Stop"}
      </Button>
      <Confirm
        title="Stop this deployment?"
        action="Stop it"
        isOpen={isStopping}
        isBusy={turning.isPending}
        onClose={() => setStopping(false)}
        onConfirm={() => turning.mutate("stop")}
      >
        <p>
          <strong>{deployment.name}</strong> takes no more jobs. What was accepted stays and goes on when it is started.
        </p>
      </Confirm>
    </li>
  );
}

const engines = [
  { value: "embedded", label: "The embedded engine" },
  { value: "application", label: "An application" },
];

function DeploymentForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [engine, setEngine] = useState("embedded");
  const [most, setMost] = useState("1");
  const isNumber = /^[1-9]\d{0,2}$/.test(most.trim());
  const making = useMutation({
    mutationFn: () =>
      call<Deployment>("/admin/deployments", {
        method: "POST",
        json: { name: name.trim(), environment: { engine }, workers_max: Number(most) },
      }),
    onSuccess: (made) => {
      queries.invalidateQueries({ queryKey: ["admin", "deployments"] });
      toast(`${made.name} is there and waits for workers.`);
      onClose();
    },
  });
  return (
    <DialogForm
      action="Create deployment"
      isBusy={making.isPending}
      fault={making.error}
      why={name.trim() === "" ? "Give it a name first." : isNumber ? null : "Write how many workers, 1 to 999."}
      onSubmit={() => making.mutate()}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="What runs its graphs"
        choices={engines}
        value={engine}
        onChange={(event) => setEngine(event.target.value)}
      />
      <TextField
        label="Workers, at most"
        inputMode="numeric"
        autoComplete="off"
        hint="It scales to none without work. More of it can be set by PATCH /admin/deployments/{id}."
        value={most}
        onChange={(event) => setMost(event.target.value)}
      />
    </DialogForm>
  );
}

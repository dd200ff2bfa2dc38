// A workspace's limits and quotas: what applies, the default, and who changed it.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Workspace, type WorkspaceLimit, workspacePartQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./operate.module.css";

export function Limits({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const queries = useQueryClient();
  const [changed, setChanged] = useState<WorkspaceLimit | null>(null);
  const query = workspacePartQuery<{ readonly data: readonly WorkspaceLimit[] }>(workspace.id, "limits");
  const { data, error, refetch } = useQuery(query);
  const after = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const resetting = useMutation({
    mutationFn: (name: string) =>
      call(`/admin/workspaces/${workspace.id}/limits/${encodeURIComponent(name)}`, { method: "DELETE" }),
    onSuccess: (_, name) => {
      after();
      toast(`${name} is at its default again.`);
    },
    onError: (thrown) => toastFault(thrown, "The limit was not reset"),
  });
  if (data === undefined) return error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="20rem" />;
  return (
    <Panel title="Limits and quotas" flush>
      <ul>
        {data.data.map((limit) => (
          <li key={limit.name} className={styles.item} data-limit={limit.name}>
            <div className={styles.who}>
              <Heading>
                <code>{limit.name}</code>
                <Chip>{limit.kind}</Chip>
                {limit.overridden ? <Chip tone="accent">Changed</Chip> : null}
              </Heading>
              <div className={kit.soft}>{limit.description}</div>
            </div>
            <div style={{ textAlign: "end" }}>
              <strong>{limit.value.toLocaleString()}</strong>
              {limit.overridden ? <div className={kit.soft}>default {limit.default.toLocaleString()}</div> : null}
            </div>
            <div className={kit.actions}>
              <Button small aria-label={`Change ${limit.name}`} onClick={() => setChanged(limit)}>
                Change
              </Button>
              <Button
                small
                look="quiet"
                aria-label={`Reset ${limit.name}`}
                why={limit.overridden ? null : "It is at its default."}
                disabled={resetting.isPending}
                onClick={() => resetting.mutate(limit.name)}
              >
                Reset
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Dialog title={`Change ${changed?.name ?? ""}`} isOpen={changed !== null} onClose={() => setChanged(null)}>
        {changed ? (
          <LimitForm
            workspace={workspace}
            of={changed}
            onClose={() => setChanged(null)}
            onDone={() => {
              after();
              setChanged(null);
            }}
          />
        ) : null}
      </Dialog>
    </Panel>
  );
}

function LimitForm(props: {
  readonly workspace: Workspace;
  readonly of: WorkspaceLimit;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): ReactNode {
  const { workspace, of: limit } = props;
  const [value, setValue] = useState(String(limit.value));
  const [reason, setReason] = useState("");
  const isNumber = /^\d{1,15}$/.test(value.trim());
  const changing = useMutation({
    mutationFn: () =>
      call(`/admin/workspaces/${workspace.id}/limits/${encodeURIComponent(limit.name)}`, {
        method: "PUT",
        json: { value: Number(value), ...(reason.trim() === "" ? {} : { reason: reason.trim() }) },
      }),
    onSuccess: () => {
      toast(`${limit.name} is ${value.trim()} for ${workspace.name}.`);
      props.onDone();
    },
  });
  return (
    <DialogForm
      action="Change limit"
      isBusy={changing.isPending}
      fault={changing.error}
      why={isNumber ? null : "Write a whole number first."}
      onSubmit={() => changing.mutate()}
      onCancel={props.onClose}
    >
      <p className={kit.soft}>{limit.description}</p>
      <TextField
        label="Value"
        required
        inputMode="numeric"
        autoComplete="off"
        hint={`Default ${limit.default.toLocaleString()}. It applies within five seconds everywhere.`}
        wrong={isNumber ? null : "A whole number of 0 or more."}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <TextField
        label="Why"
        hint="The audit keeps it."
        maxLength={500}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DialogForm>
  );
}

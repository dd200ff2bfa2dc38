// Whether this workspace keeps the inputs and answers of its model calls, how long, and what that means.
import type { Account, RequestBodyKeeping } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { members } from "#strings/members";
import { whyNot } from "../../api/may.ts";
import { bodyKeepingQuery, setBodyKeeping } from "../../api/model-calls/request-bodies.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { formatBytes } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Pending } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { toastFault } from "../../ui/toast-store.ts";
import styles from "./members.module.css";

const words = members.bodies;
const choices = [1, 24, 72, 168, 336, 720, 2_160, 8_760];

export function KeepBodies({ account }: { readonly account: Account }): ReactNode {
  const workspaceId = account.workspace.id;
  const { data: keeping, error, refetch } = useQuery(bodyKeepingQuery(workspaceId));
  const [isEnding, setEnding] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: { enabled: boolean; keep_hours?: number }) => setBodyKeeping(workspaceId, wanted),
    onSuccess: async (changed) => {
      queries.setQueryData(bodyKeepingQuery(workspaceId).queryKey, changed);
      await queries.invalidateQueries({ queryKey: ["account", "request"] });
      toast(changed.enabled ? words.isOn(lifeWords(changed.keep_hours)) : words.isOff);
      setEnding(false);
    },
    onError: (thrown) => toastFault(thrown, words.notChanged),
  });
  if (keeping === undefined)
    return (
      <Panel title={words.title}>
        <Pending fault={error} retry={refetch} height="9rem" />
      </Panel>
    );
  const hours = chosen ?? keeping.keep_hours;
  const whyNotMe = whyNot(account, operations.setRequestBodyKeeping);
  const why = whyNotMe ?? (keeping.keep_hours_max === 0 ? words.forbidden : null);
  return (
    <Panel title={words.title} actions={<State of={keeping} />}>
      <div className={styles.keeping} data-keeping={keeping.enabled}>
        <p>{words.lead}</p>
        <ul className={styles.points}>
          <li>{words.stored(formatBytes(keeping.body_bytes_max))}</li>
          <li>{words.removed}</li>
          <li>{words.readers}</li>
          <li>{words.end}</li>
        </ul>
        <div className={styles.keepingRow}>
          <Life
            hours={hours}
            most={keeping.keep_hours_max}
            isBlocked={why !== null}
            onChange={(keep_hours) => {
              setChosen(keep_hours);
              if (keeping.enabled) change.mutate({ enabled: true, keep_hours });
            }}
          />
          {keeping.enabled ? (
            <Button does={operations.setRequestBodyKeeping} look="danger" why={why} onClick={() => setEnding(true)}>
              {words.turnOff}
            </Button>
          ) : (
            <Button
              does={operations.setRequestBodyKeeping}
              look="primary"
              why={why}
              onClick={() => change.mutate({ enabled: true, keep_hours: hours })}
            >
              {words.turnOn}
            </Button>
          )}
        </div>
        {keeping.enabled ? (
          <p className={kit.soft}>{words.kept(keeping.kept_requests, formatBytes(keeping.kept_bytes))}</p>
        ) : null}
      </div>
      <Dialog title={words.ending.title} isOpen={isEnding} onClose={() => setEnding(false)}>
        <DialogForm
          action={words.ending.action}
          isBusy={change.isPending}
          fault={change.error}
          onCancel={() => setEnding(false)}
          onSubmit={() => change.mutate({ enabled: false })}
        >
          <p>{words.ending.text(keeping.kept_requests)}</p>
        </DialogForm>
      </Dialog>
    </Panel>
  );
}

function State({ of }: { readonly of: RequestBodyKeeping }): ReactNode {
  return of.enabled ? <Chip tone="ok">{words.on}</Chip> : <Chip>{words.off}</Chip>;
}

function Life(props: {
  readonly hours: number;
  readonly most: number;
  readonly isBlocked: boolean;
  readonly onChange: (hours: number) => void;
}): ReactNode {
  const { hours, most } = props;
  const offered = [...new Set([...choices.filter((each) => each <= most), hours])].sort((one, other) => one - other);
  return (
    <SelectField
      label={words.life}
      value={String(props.hours)}
      disabled={props.isBlocked}
      onChange={(event) => props.onChange(Number(event.target.value))}
      choices={offered.map((each) => ({ value: String(each), label: lifeWords(each) }))}
    />
  );
}

const lifeWords = (hours: number) => (hours % 24 === 0 && hours > 0 ? words.days(hours / 24) : words.hours(hours));

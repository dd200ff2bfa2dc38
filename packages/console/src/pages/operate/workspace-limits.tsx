// A workspace's limits and quotas: what applies, the default, and who changed it.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { workspaces } from "#strings/workspaces";
import { type Workspace, type WorkspaceLimit, workspaceLimitsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { formatBytes, readBytes } from "../../ui/amounts.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Pending } from "../../ui/states.tsx";
import styles from "./operate.module.css";

const words = workspaces.limits;

const isSize = ({ name }: Pick<WorkspaceLimit, "name">): boolean => name.endsWith("bytes");
const shownAs = (limit: WorkspaceLimit, value: number): string =>
  isSize(limit) ? formatBytes(value) : value.toLocaleString();

export function Limits({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const queries = useQueryClient();
  const [changed, setChanged] = useState<WorkspaceLimit | null>(null);
  const query = workspaceLimitsQuery(workspace.id);
  const { data, error, refetch } = useQuery(query);
  const after = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const resetting = useChange({
    change: (name: string) => call(operations.resetWorkspaceLimit, { params: { workspaceId: workspace.id, name } }),
    said: (_, name) => words.isReset(name),
    after,
    failed: words.resetFailed,
  });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="20rem" />;
  return (
    <Panel title={words.title} flush>
      <ul>
        {data.data.map((limit) => (
          <li key={limit.name} className={styles.item} data-limit={limit.name}>
            <div className={styles.who}>
              <Heading>
                <code>{limit.name}</code>
                <Chip>{limit.kind}</Chip>
                {limit.overridden ? <Chip tone="accent">{words.changed}</Chip> : null}
              </Heading>
              <div className={kit.soft}>{limit.description}</div>
            </div>
            <div style={{ textAlign: "end" }}>
              <strong title={limit.value.toLocaleString()}>{shownAs(limit, limit.value)}</strong>
              {limit.overridden ? (
                <div className={kit.soft}>{words.standard(shownAs(limit, limit.default))}</div>
              ) : null}
            </div>
            <div className={kit.actions}>
              <Button
                small
                does={operations.setWorkspaceLimit}
                aria-label={words.changeOf(limit.name)}
                onClick={() => setChanged(limit)}
              >
                {words.change}
              </Button>
              <Button
                small
                look="quiet"
                does={operations.resetWorkspaceLimit}
                aria-label={words.resetOf(limit.name)}
                why={limit.overridden ? null : words.atDefault}
                disabled={resetting.isPending}
                onClick={() => resetting.mutate(limit.name)}
              >
                {words.reset}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Dialog title={words.changeOf(changed?.name ?? "")} isOpen={changed !== null} onClose={() => setChanged(null)}>
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
  const { draft, text } = useDraft({ value: String(limit.value), reason: "" });
  const [value, reason] = [draft.value.trim(), draft.reason.trim()];
  const number = isSize(limit) ? readBytes(draft.value) : /^\d{1,15}$/.test(value) ? Number(value) : null;
  const wrong = number !== null ? null : isSize(limit) ? words.sizeWrong : words.valueWrong;
  return (
    <ChangeForm
      action={words.changeAction}
      why={wrong}
      change={() =>
        call(operations.setWorkspaceLimit, {
          params: { workspaceId: workspace.id, name: limit.name },
          json: { value: number ?? limit.value, ...(reason === "" ? {} : { reason }) },
        })
      }
      said={() => words.isSet(limit.name, shownAs(limit, number ?? limit.value), workspace.name)}
      after={props.onDone}
      onClose={props.onClose}
    >
      <p className={kit.soft}>{limit.description}</p>
      <TextField
        label={words.value}
        required
        inputMode={isSize(limit) ? "text" : "numeric"}
        hint={words.valueHint(shownAs(limit, limit.default))}
        {...text("value")}
        wrong={wrong}
      />
      <TextField label={workspaces.reason} hint={workspaces.reasonHint} maxLength={500} {...text("reason")} />
    </ChangeForm>
  );
}

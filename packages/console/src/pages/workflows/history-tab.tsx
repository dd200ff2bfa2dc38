// Every version with who saved it, when and why; the difference between any two; and back to an earlier one.
import type { WorkflowVersion } from "@atelier/sdk";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { GitCompareArrows, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { type Read, restoreVersion, savedKey } from "../../api/saved/saved-workflows.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/calls/more.tsx";
import { Chip } from "../../ui/chip.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { Difference } from "./diff-list.tsx";
import styles from "./saved.module.css";

const words = savedWorkflows.history;

interface Compared {
  readonly from: number;
  readonly to: number;
}

export function HistoryTab(props: {
  readonly read: Read;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly onCompare: (compared: Compared) => void;
  readonly onRestored: () => void;
}): ReactNode {
  const { workflow } = props.read;
  const latest = workflow.version;
  const to = Math.min(props.to ?? latest, latest);
  const from = Math.min(props.from ?? Math.max(1, to - 1), latest);
  return (
    <div className={styles.history}>
      <Versions {...props} compared={{ from, to }} />
      <Panel title={words.difference} className={styles.difference}>
        {latest === 1 ? (
          <p className={kit.soft}>{words.onlyOne}</p>
        ) : (
          <Stack>
            <div className={styles.compared}>
              <VersionChoice
                label={words.from}
                {...{ latest }}
                value={from}
                onChoose={(next) => props.onCompare({ from: next, to })}
              />
              <VersionChoice
                label={words.to}
                {...{ latest }}
                value={to}
                onChoose={(next) => props.onCompare({ from, to: next })}
              />
            </div>
            <Difference id={workflow.id} from={from} to={to} />
          </Stack>
        )}
      </Panel>
    </div>
  );
}

function VersionChoice(props: {
  readonly label: string;
  readonly latest: number;
  readonly value: number;
  readonly onChoose: (version: number) => void;
}): ReactNode {
  const numbers = Array.from({ length: props.latest }, (_, at) => props.latest - at);
  return (
    <SelectField
      label={props.label}
      value={props.value}
      choices={numbers.map((version) => ({ value: String(version), label: words.version(version) }))}
      onChange={({ target }) => props.onChoose(Number(target.value))}
    />
  );
}

function Versions(props: {
  readonly read: Read;
  readonly compared: Compared;
  readonly onCompare: (compared: Compared) => void;
  readonly onRestored: () => void;
}): ReactNode {
  const { workflow, etag } = props.read;
  const queries = useQueryClient();
  const list = useInfiniteQuery(
    readPages([...savedKey, workflow.id, "versions"], operations.listWorkflowVersions, {
      params: { workflowId: workflow.id },
      query: { limit: 50 },
    }),
  );
  const restore = useMutation({
    mutationFn: (version: number) => restoreVersion(workflow.id, version, etag),
    onSuccess: async ({ version }) => {
      toast(words.restored(version));
      await queries.invalidateQueries({ queryKey: savedKey });
      props.onRestored();
    },
    onError: (thrown) => {
      toastFault(thrown, words.notRestored);
      void queries.invalidateQueries({ queryKey: [...savedKey, workflow.id] });
    },
  });
  const versions = list.data?.pages.flatMap(({ data }) => data);
  return (
    <Panel title={words.versions} flush>
      {versions === undefined ? (
        <Pending fault={list.error} retry={list.refetch} height="4rem" count={3} />
      ) : (
        <ol className={styles.versions}>
          {versions.map((version) => (
            <VersionRow
              key={version.version}
              version={version}
              isLatest={version.version === workflow.version}
              isShown={version.version === props.compared.to}
              isBusy={restore.isPending}
              onChanges={() => props.onCompare({ from: Math.max(1, version.version - 1), to: version.version })}
              onRestore={() => restore.mutate(version.version)}
            />
          ))}
        </ol>
      )}
      <More of={list} className={styles.moreVersions}>
        {words.more}
      </More>
    </Panel>
  );
}

function VersionRow(props: {
  readonly version: WorkflowVersion;
  readonly isLatest: boolean;
  readonly isShown: boolean;
  readonly isBusy: boolean;
  readonly onChanges: () => void;
  readonly onRestore: () => void;
}): ReactNode {
  const { version, note, restored_from, created_at, created_by } = props.version;
  return (
    <li className={styles.version} data-version={version} data-shown={props.isShown}>
      <div>
        <strong>{words.version(version)}</strong> {props.isLatest ? <Chip tone="accent">{words.latest}</Chip> : null}
        <div className={kit.soft}>
          <Rich text={words.by} name={nameOf(created_by)} ago={<Ago at={created_at} />} />
        </div>
        {restored_from === null ? null : <div className={kit.soft}>{words.restoredFrom(restored_from)}</div>}
        {note === null ? null : <p className={styles.note}>{note}</p>}
      </div>
      <div className={kit.actions}>
        {version === 1 ? null : (
          <Button small look="quiet" aria-pressed={props.isShown} onClick={props.onChanges}>
            <GitCompareArrows aria-hidden="true" />
            {words.changes}
          </Button>
        )}
        {props.isLatest ? null : (
          <Button does={operations.saveWorkflowVersion} small disabled={props.isBusy} onClick={props.onRestore}>
            <RotateCcw aria-hidden="true" />
            {words.restore}
          </Button>
        )}
      </div>
    </li>
  );
}

function nameOf(by: WorkflowVersion["created_by"]): string {
  if (by === null) return words.byServer;
  if (by.name === null) return words.byUnknown;
  return by.kind === "key" ? words.byKey(by.name) : by.name;
}

// How long the workspace keeps its files and its history. What a change would delete is counted before it is saved.
import type { Account, Retention, RetentionEstimate, SetRetention } from "@atelier/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { members } from "#strings/members";
import { call } from "../../api/client.ts";
import { whyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Ago, formatBytes } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Pending } from "../../ui/states.tsx";
import styles from "./members.module.css";

const words = members.retention;
const kinds = ["outputs_days", "uploads_days", "history_days"] as const;
const choices = [1, 3, 7, 14, 30, 60, 90, 180, 365, 730];

export function KeepForDays({ account }: { readonly account: Account }): ReactNode {
  const workspaceId = account.workspace.id;
  const key = ["retention", workspaceId];
  const { data, error, refetch } = useQuery(readQuery(key, operations.getRetention, { params: { workspaceId } }));
  const [draft, setDraft] = useState<Partial<SetRetention>>({});
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  if (data === undefined)
    return (
      <Panel title={words.title}>
        <Pending fault={error} retry={refetch} height="11rem" />
      </Panel>
    );
  const wanted = { ...daysOf(data), ...draft };
  const isSame = kinds.every((kind) => wanted[kind] === data[kind]);
  const isBlocked = whyNot(account, operations.setRetention) !== null;
  return (
    <Panel title={words.title}>
      <div className={styles.keeping}>
        <p>{words.lead}</p>
        <div className={styles.days}>
          {kinds.map((kind) => (
            <SelectField
              key={kind}
              label={words[kind].label}
              hint={words[kind].hint}
              disabled={isBlocked}
              value={String(wanted[kind] ?? "")}
              choices={offered(data, wanted[kind])}
              onChange={({ target }) =>
                setDraft({ ...draft, [kind]: target.value === "" ? null : Number(target.value) })
              }
            />
          ))}
        </div>
        <p className={kit.soft}>{words.always}</p>
        <div className={styles.keepingRow}>
          <Button
            does={operations.setRetention}
            look="primary"
            why={isSame ? words.same : null}
            onClick={() => setAsking(true)}
          >
            {words.save}
          </Button>
          <Since of={data} />
        </div>
      </div>
      <Dialog title={words.askTitle} isOpen={isAsking} onClose={() => setAsking(false)}>
        {isAsking ? (
          <Asked
            workspaceId={workspaceId}
            wanted={wanted}
            onClose={() => setAsking(false)}
            onSaved={(saved) => {
              queries.setQueryData(key, saved);
              setDraft({});
            }}
          />
        ) : null}
      </Dialog>
    </Panel>
  );
}

function Since({ of }: { readonly of: Retention }): ReactNode {
  if (of.applies_at === null || of.changed_at === null) return null;
  const isAhead = Date.parse(of.applies_at) > Date.now();
  return (
    <span className={kit.soft}>
      {isAhead ? words.applies : words.changed} <Ago at={isAhead ? of.applies_at : of.changed_at} />
    </span>
  );
}

function Asked(props: {
  readonly workspaceId: string;
  readonly wanted: SetRetention;
  readonly onClose: () => void;
  readonly onSaved: (saved: Retention) => void;
}): ReactNode {
  const { workspaceId, wanted } = props;
  const { data, error } = useQuery({
    ...readQuery(["retention", workspaceId, "estimate", wanted], operations.estimateRetention, {
      params: { workspaceId },
      json: wanted,
    }),
    gcTime: 0,
    staleTime: 0,
  });
  const deletes = data !== undefined && sumOf(data) > 0;
  return (
    <ChangeForm
      action={deletes ? words.saveAndDelete : words.save}
      {...(deletes ? { look: "danger" as const } : {})}
      fault={error}
      why={data === undefined ? words.counting : null}
      change={() => call(operations.setRetention, { params: { workspaceId }, json: wanted })}
      said={() => words.saved}
      after={props.onSaved}
      onClose={props.onClose}
    >
      {data === undefined ? <p>{words.counting}</p> : <Counts of={data} />}
    </ChangeForm>
  );
}

function Counts({ of }: { readonly of: RetentionEstimate }): ReactNode {
  if (sumOf(of) === 0) return <p>{words.deletesNothing}</p>;
  return (
    <>
      <p>
        {words.deletes} <Ago at={of.applies_at} />:
      </p>
      <ul className={styles.points}>
        {of.outputs.things > 0 ? (
          <li>{words.counts.outputs(of.outputs.things, formatBytes(of.outputs.bytes))}</li>
        ) : null}
        {of.uploads.things > 0 ? (
          <li>{words.counts.uploads(of.uploads.things, formatBytes(of.uploads.bytes))}</li>
        ) : null}
        {of.history.things > 0 ? <li>{words.counts.history(of.history.things)}</li> : null}
      </ul>
      <p>{words.daily}</p>
    </>
  );
}

const sumOf = ({ outputs, uploads, history }: RetentionEstimate) => outputs.things + uploads.things + history.things;

const daysOf = ({ outputs_days, uploads_days, history_days }: SetRetention): SetRetention => ({
  ...{ outputs_days, uploads_days, history_days },
});

function offered({ days_min, days_max }: Retention, chosen: number | null) {
  const days = choices.filter((each) => each >= days_min && (days_max === null || each <= days_max));
  const all = [...new Set([...days, ...[chosen ?? [], days_max ?? []].flat()])].sort((one, other) => one - other);
  const never = days_max === null ? [{ value: "", label: words.never }] : [];
  return [...never, ...all.map((each) => ({ value: String(each), label: words.days(each) }))];
}

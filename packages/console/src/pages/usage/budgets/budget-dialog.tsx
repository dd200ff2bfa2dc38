// Sets a budget, a new one or one that is there.
import type { PutBudget } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { budgets } from "#strings/usage/budgets";
import { keyState } from "../../../api/account.ts";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";
import { keysQuery } from "../../../api/usage.ts";
import { useChange } from "../../../ui/calls/use-change.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { SelectField, TextField } from "../../../ui/fields.tsx";
import { type BudgetDraft, bodyOf, draftOf, wrongIn } from "./budget-draft.ts";
import { budgetsQuery, type ListedBudget } from "./budget-queries.ts";
import styles from "./budgets.module.css";

const words = budgets.form;
type Edited = ListedBudget | "new";

export function BudgetDialog(props: { readonly edited: Edited | null; readonly onClose: () => void }): ReactNode {
  const { edited } = props;
  return (
    <Dialog
      title={edited === null || edited === "new" ? words.newTitle : words.editTitle(edited.name)}
      isOpen={edited !== null}
      onClose={props.onClose}
    >
      {edited === null ? null : <BudgetForm edited={edited} onClose={props.onClose} />}
    </Dialog>
  );
}

function BudgetForm({ edited, onClose }: { readonly edited: Edited; readonly onClose: () => void }): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(edited === "new" ? null : edited));
  const [isAsked, setAsked] = useState(false);
  const wrong = wrongIn(draft);
  const change = (more: Partial<BudgetDraft>) => setDraft({ ...draft, ...more });
  const put = useChange({
    change: (json: PutBudget) => call(operations.putBudget, { params: { name: draft.name }, json }),
    stale: [budgetsQuery.queryKey],
    said: () => budgets.saved(draft.name),
    after: onClose,
  });
  const submit = () => {
    setAsked(true);
    if (Object.values(wrong).every((each) => each === null)) put.mutate(bodyOf(draft));
  };
  return (
    <DialogForm action={words.action} onSubmit={submit} onCancel={onClose} isBusy={put.isPending} fault={put.error}>
      {edited === "new" ? (
        <TextField
          label={words.name}
          hint={words.nameHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={draft.name}
          wrong={isAsked ? wrong.name : null}
          onChange={(event) => change({ name: event.target.value.trim() })}
        />
      ) : null}
      <div className={styles.pair}>
        <TextField
          label={words.amount}
          inputMode="decimal"
          autoComplete="off"
          value={draft.amount}
          wrong={isAsked ? wrong.amount : null}
          onChange={(event) => change({ amount: event.target.value.trim() })}
        />
        <SelectField
          label={words.period}
          choices={(["day", "week", "month"] as const).map((value) => ({ value, label: budgets.periods[value] }))}
          value={draft.period}
          onChange={(event) => change({ period: event.target.value as BudgetDraft["period"] })}
        />
      </div>
      <SelectField
        label={words.scope}
        choices={(["workspace", "key", "tag", "end_user"] as const).map((value) => ({
          value,
          label: budgets.scopes[value],
        }))}
        value={draft.scope}
        onChange={(event) => change({ scope: event.target.value as BudgetDraft["scope"], subject: "" })}
      />
      <SubjectField draft={draft} wrong={isAsked ? wrong.subject : null} onChange={change} />
      <SelectField
        label={words.atLimit}
        choices={[
          { value: "stop", label: words.stop },
          { value: "warn", label: words.warn },
        ]}
        value={draft.atLimit}
        onChange={(event) => change({ atLimit: event.target.value as BudgetDraft["atLimit"] })}
      />
      <ReceiverFields draft={draft} wrong={isAsked ? wrong.emails : null} onChange={change} />
    </DialogForm>
  );
}

function ReceiverFields(props: {
  readonly draft: BudgetDraft;
  readonly wrong: string | null;
  readonly onChange: (more: Partial<BudgetDraft>) => void;
}): ReactNode {
  const { draft, wrong, onChange } = props;
  return (
    <>
      <TextField
        label={words.webhook}
        hint={words.webhookHint}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/hooks"
        value={draft.webhook}
        onChange={(event) => onChange({ webhook: event.target.value })}
      />
      <TextField
        label={words.emails}
        hint={words.emailsHint}
        autoComplete="off"
        spellCheck={false}
        placeholder="money@example.com"
        value={draft.emails}
        wrong={wrong}
        onChange={(event) => onChange({ emails: event.target.value })}
      />
    </>
  );
}

function SubjectField(props: {
  readonly draft: BudgetDraft;
  readonly wrong: string | null;
  readonly onChange: (more: Partial<BudgetDraft>) => void;
}): ReactNode {
  const { draft, wrong } = props;
  const { data: keys } = useQuery({ ...keysQuery, enabled: draft.scope === "key" });
  if (draft.scope === "workspace") return null;
  if (draft.scope === "key") {
    const active = (keys?.data ?? []).filter(
      (key) => keyState(key, Date.now()) === "works" || key.id === draft.subject,
    );
    const first = { value: "", label: active.length === 0 ? words.noKeys : words.keyMissing };
    return (
      <SelectField
        label={words.key}
        choices={[first, ...active.map(({ id, name }) => ({ value: id, label: name }))]}
        value={draft.subject}
        wrong={wrong}
        onChange={(event) => props.onChange({ subject: event.target.value })}
      />
    );
  }
  const isTag = draft.scope === "tag";
  return (
    <TextField
      label={isTag ? words.tag : words.endUser}
      hint={isTag ? words.tagHint : words.endUserHint}
      autoComplete="off"
      spellCheck={false}
      maxLength={300}
      placeholder={isTag ? "project=spring" : "user-7"}
      value={draft.subject}
      wrong={wrong}
      onChange={(event) => props.onChange({ subject: event.target.value })}
    />
  );
}

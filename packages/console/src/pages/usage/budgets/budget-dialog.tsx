// Sets a budget, a new one or one that is there.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { budgets } from "#strings/usage/budgets";
import { keyState, keysQuery } from "../../../api/account.ts";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";
import { ChangeForm } from "../../../ui/calls/change-form.tsx";
import { useDraft } from "../../../ui/calls/use-draft.ts";
import { Dialog } from "../../../ui/dialog.tsx";
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
  const form = useDraft(() => draftOf(edited === "new" ? null : edited), wrongIn);
  const { draft, change, word, text, canSubmit } = form;
  return (
    <ChangeForm
      action={words.action}
      canSubmit={canSubmit}
      change={() => call(operations.putBudget, { params: { name: draft.name }, json: bodyOf(draft) })}
      stale={[budgetsQuery.queryKey]}
      said={() => budgets.saved(draft.name)}
      onClose={onClose}
    >
      {edited === "new" ? (
        <TextField label={words.name} hint={words.nameHint} spellCheck={false} maxLength={64} {...word("name")} />
      ) : null}
      <div className={styles.pair}>
        <TextField label={words.amount} inputMode="decimal" {...word("amount")} />
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
      <SubjectField of={form} />
      <SelectField
        label={words.atLimit}
        choices={[
          { value: "stop", label: words.stop },
          { value: "warn", label: words.warn },
        ]}
        value={draft.atLimit}
        onChange={(event) => change({ atLimit: event.target.value as BudgetDraft["atLimit"] })}
      />
      <TextField
        label={words.webhook}
        hint={words.webhookHint}
        type="url"
        spellCheck={false}
        placeholder="https://example.com/hooks"
        {...text("webhook")}
      />
      <TextField
        label={words.emails}
        hint={words.emailsHint}
        spellCheck={false}
        placeholder="money@example.com"
        {...text("emails")}
      />
    </ChangeForm>
  );
}

function SubjectField({ of }: { readonly of: ReturnType<typeof useDraft<BudgetDraft>> }): ReactNode {
  const { draft, field, text } = of;
  const { data: keys } = useQuery({ ...keysQuery, staleTime: 60_000, enabled: draft.scope === "key" });
  if (draft.scope === "workspace") return null;
  if (draft.scope === "key") {
    const active = (keys ?? []).filter((key) => keyState(key, Date.now()) === "works" || key.id === draft.subject);
    const first = { value: "", label: active.length === 0 ? words.noKeys : words.keyMissing };
    return (
      <SelectField
        label={words.key}
        choices={[first, ...active.map(({ id, name }) => ({ value: id, label: name }))]}
        {...field("subject")}
      />
    );
  }
  const isTag = draft.scope === "tag";
  return (
    <TextField
      label={isTag ? words.tag : words.endUser}
      hint={isTag ? words.tagHint : words.endUserHint}
      spellCheck={false}
      maxLength={300}
      placeholder={isTag ? "project=spring" : "user-7"}
      {...text("subject")}
    />
  );
}

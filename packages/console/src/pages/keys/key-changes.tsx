// Changes an existing key: its name, its caps, and its end.

import type { AccountKey, KeyCaps } from "@atelier/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { keys as words } from "#strings/keys";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useDraft, useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { formatCredits } from "../../ui/figures.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { LimitsOf } from "./key-limits.tsx";
import { capsQuery, keysQuery } from "./key-queries.ts";
import styles from "./keys.module.css";

interface ChangeProps {
  readonly of: AccountKey | null;
  readonly onClose: () => void;
}

export function RenameKey({ of, onClose }: ChangeProps): ReactNode {
  return (
    <Dialog title={words.renaming.title} isOpen={of !== null} onClose={onClose}>
      {of === null ? null : <Renaming of={of} onClose={onClose} />}
    </Dialog>
  );
}

function Renaming({ of, onClose }: { readonly of: AccountKey; readonly onClose: () => void }): ReactNode {
  const [name, nameField] = useField(of.name);
  return (
    <ChangeForm
      action={words.renaming.action}
      why={name.trim() === "" ? words.create.nameMissing : null}
      change={() => call(operations.updateKey, { params: { keyId: of.id }, json: { name } })}
      stale={[keysQuery.queryKey]}
      said={(now) => words.renaming.done(now.name)}
      onClose={onClose}
    >
      <p>{words.renaming.text}</p>
      <TextField label={words.create.name} maxLength={100} autoComplete="off" {...nameField} />
    </ChangeForm>
  );
}

export function RevokeKey({ of, onClose }: ChangeProps): ReactNode {
  return (
    <Dialog title={words.revocation.title} isOpen={of !== null} onClose={onClose}>
      {of === null ? null : <Revocation of={of} onClose={onClose} />}
    </Dialog>
  );
}

function Revocation({ of, onClose }: { readonly of: AccountKey; readonly onClose: () => void }): ReactNode {
  const [typed, typedField] = useField("");
  return (
    <ChangeForm
      action={words.revocation.action}
      look="danger"
      why={typed.trim() === of.name ? null : words.revocation.why}
      change={() => call(operations.revokeKey, { params: { keyId: of.id } })}
      stale={[keysQuery.queryKey]}
      said={() => words.revocation.done(of.name)}
      onClose={onClose}
    >
      <p>
        <Rich text={words.revocation.text} name={<strong>{of.name}</strong>} hint={<code>{of.hint}…</code>} />
      </p>
      <TextField
        label={<Rich text={words.revocation.confirm} name={<code className={styles.typed}>{of.name}</code>} />}
        spellCheck={false}
        autoComplete="off"
        {...typedField}
      />
    </ChangeForm>
  );
}

export function EditCaps({ of, onClose }: ChangeProps): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const isOwner = account?.role === "owner";
  return (
    <Dialog title={of === null ? "" : words.capsOf.title(of.name)} isOpen={of !== null} onClose={onClose}>
      {of === null ? null : (
        <>
          <CapsOf of={of} onClose={onClose} />
          {isOwner ? <LimitsOf of={of} onClose={onClose} /> : null}
        </>
      )}
    </Dialog>
  );
}

function CapsOf({ of, onClose }: { readonly of: AccountKey; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(capsQuery(of.id));
  if (error) return <FaultNote fault={error} retry={refetch} />;
  return data === undefined ? <Skeleton height="9rem" /> : <CapsForm caps={data} onClose={onClose} />;
}

const amount = /^\d{1,12}(\.\d{1,6})?$/;
const wrongIn = (text: string) => (text === "" || amount.test(text) ? null : words.amount);

function CapsForm({ caps, onClose }: { readonly caps: KeyCaps; readonly onClose: () => void }): ReactNode {
  const { draft, word } = useDraft({ day: caps.daily_credits_max ?? "", month: caps.monthly_credits_max ?? "" });
  const queries = useQueryClient();
  const wrong = { day: wrongIn(draft.day), month: wrongIn(draft.month) };
  return (
    <ChangeForm
      action={words.capsOf.action}
      why={(wrong.day ?? wrong.month) ? words.capsOf.why : null}
      change={() =>
        call(operations.setKeyCaps, {
          params: { keyId: caps.key_id },
          json: { daily_credits_max: draft.day || null, monthly_credits_max: draft.month || null },
        })
      }
      said={() => words.capsOf.saved}
      after={(now) => void queries.setQueryData(capsQuery(caps.key_id).queryKey, now)}
      onClose={onClose}
    >
      <p>{words.capsOf.text(formatCredits(caps.held))}</p>
      <div className={styles.pair}>
        <TextField
          label={words.capsOf.day}
          hint={words.capsOf.spentToday(formatCredits(caps.spent_today))}
          placeholder={words.noCap}
          inputMode="decimal"
          {...word("day")}
          wrong={wrong.day}
        />
        <TextField
          label={words.capsOf.month}
          hint={words.capsOf.spentThisMonth(formatCredits(caps.spent_this_month))}
          placeholder={words.noCap}
          inputMode="decimal"
          {...word("month")}
          wrong={wrong.month}
        />
      </div>
    </ChangeForm>
  );
}

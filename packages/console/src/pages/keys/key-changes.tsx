// Changes an existing key: its name, its caps, and its end.

import type { AccountKey, KeyCaps } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { keys as words } from "#strings/keys";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { formatCredits } from "../../ui/figures.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toast } from "../../ui/toast.tsx";
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
  const [name, setName] = useState(of.name);
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () => call(operations.updateKey, { params: { keyId: of.id }, json: { name } }),
    onSuccess: (now) => {
      queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      toast(words.renaming.done(now.name));
      onClose();
    },
  });
  return (
    <DialogForm
      action={words.renaming.action}
      isBusy={rename.isPending}
      fault={rename.error}
      why={name.trim() === "" ? words.create.nameMissing : null}
      onCancel={onClose}
      onSubmit={() => rename.mutate()}
    >
      <p>{words.renaming.text}</p>
      <TextField
        label={words.create.name}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </DialogForm>
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
  const [typed, setTyped] = useState("");
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(operations.revokeKey, { params: { keyId: of.id } }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      toast(words.revocation.done(of.name));
      onClose();
    },
  });
  return (
    <DialogForm
      action={words.revocation.action}
      look="danger"
      isBusy={revoke.isPending}
      fault={revoke.error}
      why={typed.trim() === of.name ? null : words.revocation.why}
      onCancel={onClose}
      onSubmit={() => revoke.mutate()}
    >
      <p>
        <Rich text={words.revocation.text} name={<strong>{of.name}</strong>} hint={<code>{of.hint}…</code>} />
      </p>
      <TextField
        label={<Rich text={words.revocation.confirm} name={<code className={styles.typed}>{of.name}</code>} />}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </DialogForm>
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
  const [day, setDay] = useState(caps.daily_credits_max ?? "");
  const [month, setMonth] = useState(caps.monthly_credits_max ?? "");
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      call(operations.setKeyCaps, {
        params: { keyId: caps.key_id },
        json: { daily_credits_max: day || null, monthly_credits_max: month || null },
      }),
    onSuccess: (now) => {
      queries.setQueryData(capsQuery(caps.key_id).queryKey, now);
      toast(words.capsOf.saved);
      onClose();
    },
  });
  const isWrong = wrongIn(day) !== null || wrongIn(month) !== null;
  return (
    <DialogForm
      action={words.capsOf.action}
      isBusy={save.isPending}
      fault={save.error}
      why={isWrong ? words.capsOf.why : null}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      <p>{words.capsOf.text(formatCredits(caps.held))}</p>
      <div className={styles.pair}>
        <TextField
          label={words.capsOf.day}
          hint={words.capsOf.spentToday(formatCredits(caps.spent_today))}
          placeholder={words.noCap}
          inputMode="decimal"
          autoComplete="off"
          value={day}
          wrong={wrongIn(day)}
          onChange={(event) => setDay(event.target.value.trim())}
        />
        <TextField
          label={words.capsOf.month}
          hint={words.capsOf.spentThisMonth(formatCredits(caps.spent_this_month))}
          placeholder={words.noCap}
          inputMode="decimal"
          autoComplete="off"
          value={month}
          wrong={wrongIn(month)}
          onChange={(event) => setMonth(event.target.value.trim())}
        />
      </div>
    </DialogForm>
  );
}

// Changes an existing key: its caps, and its end.
import type { AccountKey, KeyCaps } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { creditsOf } from "../../ui/figures.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { capsQuery, keysQuery } from "./key-queries.ts";
import styles from "./keys.module.css";

interface ChangeProps {
  readonly of: AccountKey | null;
  readonly onClose: () => void;
}

export function RevokeKey({ of, onClose }: ChangeProps): ReactNode {
  return (
    <Dialog title="Revoke this key?" isOpen={of !== null} onClose={onClose}>
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
      toast(`“${of.name}” is revoked.`);
      onClose();
    },
  });
  return (
    <DialogForm
      action="Revoke key"
      look="danger"
      isBusy={revoke.isPending}
      fault={revoke.error}
      why={typed.trim() === of.name ? null : "Type the name of the key first."}
      onCancel={onClose}
      onSubmit={() => revoke.mutate()}
    >
      <p>
        Every program that uses <strong>{of.name}</strong> (<code>{of.hint}…</code>) stops working within five seconds.
        This cannot be taken back; jobs that run already go on.
      </p>
      <TextField
        label={
          <>
            Type <code className={styles.typed}>{of.name}</code> to confirm
          </>
        }
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </DialogForm>
  );
}

export function EditCaps({ of, onClose }: ChangeProps): ReactNode {
  return (
    <Dialog title={of === null ? "" : `Caps of “${of.name}”`} isOpen={of !== null} onClose={onClose}>
      {of === null ? null : <CapsOf of={of} onClose={onClose} />}
    </Dialog>
  );
}

function CapsOf({ of, onClose }: { readonly of: AccountKey; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(capsQuery(of.id));
  if (error) return <FaultNote fault={error} retry={refetch} />;
  return data === undefined ? <Skeleton height="9rem" /> : <CapsForm caps={data} onClose={onClose} />;
}

const amount = /^\d{1,12}(\.\d{1,6})?$/;
const wrongIn = (text: string) =>
  text === "" || amount.test(text) ? null : "An amount of credits such as 25 or 0.5, or nothing for no cap.";

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
      toast("The caps are set. They hold within five seconds everywhere.");
      onClose();
    },
  });
  const isWrong = wrongIn(day) !== null || wrongIn(month) !== null;
  return (
    <DialogForm
      action="Save caps"
      isBusy={save.isPending}
      fault={save.error}
      why={isWrong ? "An amount is not readable." : null}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      <p>
        A call that could exceed a cap is answered 402 and does not run. Days and months are UTC. What open calls may
        still cost counts too: {creditsOf(caps.held)} now.
      </p>
      <div className={styles.pair}>
        <TextField
          label="Credits a day"
          hint={`${creditsOf(caps.spent_today)} spent today`}
          placeholder="No cap"
          inputMode="decimal"
          autoComplete="off"
          value={day}
          wrong={wrongIn(day)}
          onChange={(event) => setDay(event.target.value.trim())}
        />
        <TextField
          label="Credits a month"
          hint={`${creditsOf(caps.spent_this_month)} spent this month`}
          placeholder="No cap"
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

// How many calls a key may make, below its caps. Only owners set it.
import type { AccountKey } from "@atelier/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { keys } from "#strings/keys";
import { call } from "../../api/client.ts";
import { useWhyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./keys.module.css";

const words = keys.limitsOf;

const limitsQuery = (keyId: string) =>
  queryOptions({
    queryKey: ["keys", keyId, "limits"],
    queryFn: ({ signal }) => call(operations.getKeyLimits, { params: { keyId }, signal }),
  });

type Limits = Awaited<ReturnType<NonNullable<ReturnType<typeof limitsQuery>["queryFn"]>>>;

export function LimitsOf({ of, onClose }: { readonly of: AccountKey; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(limitsQuery(of.id));
  if (error) return <FaultNote fault={error} retry={refetch} />;
  return data === undefined ? <Skeleton height="9rem" /> : <LimitsForm limits={data} onClose={onClose} />;
}

const count = /^[1-9]\d{0,5}$/;
const wrongIn = (text: string) => (text === "" || count.test(text) ? null : words.wrong);
const numberIn = (text: string) => (text === "" ? null : Number(text));

function LimitsForm({ limits, onClose }: { readonly limits: Limits; readonly onClose: () => void }): ReactNode {
  const [perMinute, setPerMinute] = useState(String(limits.calls_per_minute ?? ""));
  const [atOnce, setAtOnce] = useState(String(limits.concurrency ?? ""));
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      call(operations.setKeyLimits, {
        params: { keyId: limits.key_id },
        json: { calls_per_minute: numberIn(perMinute), concurrency: numberIn(atOnce) },
      }),
    onSuccess: (now) => {
      queries.setQueryData(limitsQuery(limits.key_id).queryKey, now);
      toast(words.saved);
      onClose();
    },
  });
  const mayNot = useWhyNot(operations.setKeyLimits);
  const isWrong = wrongIn(perMinute) !== null || wrongIn(atOnce) !== null;
  return (
    <DialogForm
      action={words.action}
      isBusy={save.isPending}
      fault={save.error}
      why={mayNot ?? (isWrong ? words.wrong : null)}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      <p>{words.text}</p>
      <div className={styles.pair}>
        <TextField
          label={words.perMinute}
          placeholder={words.any}
          inputMode="numeric"
          autoComplete="off"
          value={perMinute}
          wrong={wrongIn(perMinute)}
          onChange={(event) => setPerMinute(event.target.value.trim())}
        />
        <TextField
          label={words.atOnce}
          hint={words.inFlight(limits.in_flight)}
          placeholder={words.any}
          inputMode="numeric"
          autoComplete="off"
          value={atOnce}
          wrong={wrongIn(atOnce)}
          onChange={(event) => setAtOnce(event.target.value.trim())}
        />
      </div>
    </DialogForm>
  );
}

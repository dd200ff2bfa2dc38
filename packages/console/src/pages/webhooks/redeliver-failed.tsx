// Sends everything that failed since a given time again, after showing the count. One at a time, so that a receiver that was
// down is not flooded.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { webhooks } from "#strings/webhooks";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Progress } from "../../ui/figures.tsx";
import { failedSince, redeliver } from "./delivery-queries.ts";

const words = webhooks.failed;
const spans = [
  { value: "3600000", label: words.spans.hour },
  { value: "86400000", label: words.spans.day },
  { value: "604800000", label: words.spans.week },
  { value: "2592000000", label: words.spans.month },
];

export function RedeliverFailed(props: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={words.title} isOpen={props.isOpen} onClose={props.onClose}>
      <FailedForm onClose={props.onClose} />
    </Dialog>
  );
}

function FailedForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [span, spanField] = useField("86400000");
  const [done, setDone] = useState(0);
  const found = useQuery({
    queryKey: ["webhooks", "failed", span],
    queryFn: ({ signal }) => failedSince(Date.now() - Number(span), signal),
    staleTime: 0,
  });
  const count = found.data?.length ?? 0;
  const send = useChange({
    change: async () => {
      let refused = 0;
      for (const { id } of found.data ?? []) {
        await redeliver(id).catch(() => {
          refused += 1;
        });
        setDone((before) => before + 1);
      }
      return refused;
    },
    stale: [["webhooks"]],
    said: (refused) => words.done(count - refused, refused),
    after: onClose,
  });
  return (
    <DialogForm
      action={count > 0 ? words.actionCount(count) : words.action}
      isBusy={send.isPending || found.isFetching}
      fault={found.error ?? send.error}
      why={count === 0 ? words.why : null}
      onCancel={onClose}
      onSubmit={() => send.mutate()}
    >
      <SelectField label={words.label} choices={spans} {...spanField} disabled={send.isPending} />
      <p role="status">{found.isFetching ? words.counting : count === 0 ? words.none : words.found(count)}</p>
      {send.isPending ? <Progress value={done / Math.max(1, count)} label={words.progress} /> : null}
    </DialogForm>
  );
}

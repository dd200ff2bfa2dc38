// Sends everything that failed since a given time again, after showing the count. One at a time, so that a receiver that was
// down is not flooded.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Progress } from "../../ui/figures.tsx";
import { toast } from "../../ui/toast.tsx";
import { failedSince, redeliver } from "./delivery-queries.ts";

const spans = [
  { value: "3600000", label: "The last hour" },
  { value: "86400000", label: "The last 24 hours" },
  { value: "604800000", label: "The last 7 days" },
  { value: "2592000000", label: "The last 30 days" },
];

export function RedeliverFailed(props: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Redeliver what failed" isOpen={props.isOpen} onClose={props.onClose}>
      <FailedForm onClose={props.onClose} />
    </Dialog>
  );
}

function FailedForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [span, setSpan] = useState("86400000");
  const [done, setDone] = useState(0);
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["webhooks", "failed", span],
    queryFn: ({ signal }) => failedSince(Date.now() - Number(span), signal),
    staleTime: 0,
  });
  const count = found.data?.length ?? 0;
  const send = useMutation({
    mutationFn: async () => {
      let refused = 0;
      for (const { id } of found.data ?? []) {
        await redeliver(id).catch(() => {
          refused += 1;
        });
        setDone((before) => before + 1);
      }
      return refused;
    },
    onSuccess: (refused) => {
      queries.invalidateQueries({ queryKey: ["webhooks"] });
      toast(`${count - refused} are sent again${refused > 0 ? `; ${refused} could not be` : ""}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      action={count > 0 ? `Redeliver ${count}` : "Redeliver"}
      isBusy={send.isPending || found.isFetching}
      fault={found.error ?? send.error}
      why={count === 0 ? "Nothing failed in this time." : null}
      onCancel={onClose}
      onSubmit={() => send.mutate()}
    >
      <SelectField
        label="Failed in"
        choices={spans}
        value={span}
        disabled={send.isPending}
        onChange={({ target }) => setSpan(target.value)}
      />
      <p role="status">
        {found.isFetching
          ? "Counting…"
          : count === 0
            ? "No delivery failed in this time."
            : `${count} ${count === 1 ? "delivery" : "deliveries"} failed. Each gets one attempt, under its own webhook-id.`}
      </p>
      {send.isPending ? <Progress value={done / Math.max(1, count)} label="Sent again" /> : null}
    </DialogForm>
  );
}

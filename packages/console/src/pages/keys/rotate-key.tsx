// Replaces a key with a new one. The old key keeps working for a while, so that programs can switch without a gap.

import type { AccountKey, CreatedAccountKey } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { keys } from "#strings/keys";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { keysQuery } from "./key-queries.ts";
import { ReadyKey } from "./new-key.tsx";

const words = keys.rotation;

export function RotateKey({
  of,
  onClose,
}: {
  readonly of: AccountKey | null;
  readonly onClose: () => void;
}): ReactNode {
  const [made, setMade] = useState<CreatedAccountKey | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  const title = made === null ? words.title(of?.name ?? "") : words.ready(made.name);
  return (
    <Dialog title={title} isOpen={of !== null} onClose={close}>
      {made !== null ? (
        <ReadyKey made={made} onClose={close} />
      ) : of === null ? null : (
        <Rotation of={of} onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  );
}

const overlaps = [
  { value: "3600", label: words.overlaps.hour },
  { value: "86400", label: words.overlaps.day },
  { value: "604800", label: words.overlaps.week },
  { value: "2592000", label: words.overlaps.month },
  { value: "0", label: words.overlaps.none },
];

function Rotation(props: {
  readonly of: AccountKey;
  readonly onMade: (key: CreatedAccountKey) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const { id, name, hint } = props.of;
  const [overlap, setOverlap] = useState("86400");
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => call(operations.rotateKey, { params: { keyId: id }, json: { overlap_seconds: Number(overlap) } }),
    onSuccess: (key) => {
      queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      props.onMade(key);
    },
  });
  return (
    <DialogForm
      action={words.action}
      look={overlap === "0" ? "danger" : "primary"}
      isBusy={rotate.isPending}
      fault={rotate.error}
      onCancel={props.onCancel}
      onSubmit={() => rotate.mutate()}
    >
      <p>
        <Rich text={words.text} name={<strong>{name}</strong>} hint={<code>{hint}…</code>} />
      </p>
      <SelectField
        label={words.overlap}
        choices={overlaps}
        value={overlap}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </DialogForm>
  );
}

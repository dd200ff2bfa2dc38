// Replaces a key with a new one. The old key keeps working for a while, so that programs can switch without a gap.
import type { AccountKey, CreatedAccountKey } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { keysQuery } from "./key-queries.ts";
import { ReadyKey } from "./new-key.tsx";

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
  const title = made === null ? `Rotate “${of?.name ?? ""}”` : `The new “${made.name}” is ready`;
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
  { value: "3600", label: "One hour" },
  { value: "86400", label: "One day" },
  { value: "604800", label: "Seven days" },
  { value: "2592000", label: "30 days" },
  { value: "0", label: "Not at all: it ends now" },
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
      action="Make the new key"
      look={overlap === "0" ? "danger" : "primary"}
      isBusy={rotate.isPending}
      fault={rotate.error}
      onCancel={props.onCancel}
      onSubmit={() => rotate.mutate()}
    >
      <p>
        The new key has the name, reach and caps of <strong>{name}</strong> (<code>{hint}…</code>). Move your programs
        to it while the old one still works.
      </p>
      <SelectField
        label="The old key goes on for"
        choices={overlaps}
        value={overlap}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </DialogForm>
  );
}

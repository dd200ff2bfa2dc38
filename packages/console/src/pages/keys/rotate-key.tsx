// Replaces a key with a new one. The old key keeps working for a while, so that programs can switch without a gap.

import type { AccountKey, CreatedAccountKey } from "@atelier/sdk";
import type { ReactNode } from "react";
import { keys } from "#strings/keys";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { SelectField } from "../../ui/fields.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
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
  return (
    <SecretDialog<CreatedAccountKey>
      title={words.title(of?.name ?? "")}
      readyTitle={({ name }) => words.ready(name)}
      isOpen={of !== null}
      onClose={onClose}
      form={(steps) => (of === null ? null : <Rotation of={of} {...steps} />)}
      secret={(made) => <ReadyKey made={made} />}
      done={keys.ready.done}
    />
  );
}

const overlaps = [
  { value: "3600", label: words.overlaps.hour },
  { value: "86400", label: words.overlaps.day },
  { value: "604800", label: words.overlaps.week },
  { value: "2592000", label: words.overlaps.month },
  { value: "0", label: words.overlaps.none },
];

function Rotation({ of, ...steps }: SecretSteps<CreatedAccountKey> & { readonly of: AccountKey }): ReactNode {
  const { id, name, hint } = of;
  const [overlap, overlapField] = useField("86400");
  return (
    <SecretForm
      {...steps}
      action={words.action}
      look={overlap === "0" ? "danger" : "primary"}
      create={() => call(operations.rotateKey, { params: { keyId: id }, json: { overlap_seconds: Number(overlap) } })}
      changes={keysQuery.queryKey}
    >
      <p>
        <Rich text={words.text} name={<strong>{name}</strong>} hint={<code>{hint}…</code>} />
      </p>
      <SelectField label={words.overlap} choices={overlaps} {...overlapField} />
    </SecretForm>
  );
}

// The forms of weights: what operators write about one, and an address to fetch one from.

import type { ReactNode } from "react";
import { weights as words } from "#strings/operators/weights";
import type { Weight } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { TextField } from "../../ui/fields.tsx";

export function NotesForm({ of: weight, onClose }: { readonly of: Weight; readonly onClose: () => void }): ReactNode {
  const { draft, text } = useDraft({ licence: weight.licence ?? "", note: weight.note ?? "" });
  return (
    <ChangeForm
      action={words.save}
      change={() =>
        call(operations.changeWeight, {
          params: { weightId: weight.id },
          json: { licence: draft.licence.trim() || null, note: draft.note.trim() || null },
        })
      }
      stale={[["admin", "weights"]]}
      onClose={onClose}
    >
      <TextField label={words.licence} maxLength={200} {...text("licence")} />
      <TextField label={words.note} maxLength={1_000} {...text("note")} />
    </ChangeForm>
  );
}

export function FetchForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { draft, text } = useDraft({ url: "", path: "", blake3: "", bytes: "" });
  const [url, path, blake3, bytes] = [draft.url.trim(), draft.path.trim(), draft.blake3.trim(), draft.bytes.trim()];
  const isWhole =
    /^https:\/\/\S+$/.test(url) &&
    /.\/./.test(draft.path) &&
    /^[0-9a-f]{64}$/.test(blake3) &&
    /^[1-9]\d{0,14}$/.test(bytes);
  return (
    <ChangeForm
      action={words.fetchAction}
      why={isWhole ? null : words.fetchFirst}
      change={() => call(operations.addWeight, { json: { url, path, blake3, bytes: Number(bytes) } })}
      stale={[["admin", "weights"]]}
      said={(made) => words.fetching(made.path)}
      onClose={onClose}
    >
      <TextField label={words.url} hint={words.urlHint} inputMode="url" {...text("url")} />
      <TextField label={words.path} hint={words.pathHint} maxLength={1_000} {...text("path")} />
      <TextField label={words.hash} maxLength={64} {...text("blake3")} />
      <TextField label={words.bytes} inputMode="numeric" {...text("bytes")} />
    </ChangeForm>
  );
}

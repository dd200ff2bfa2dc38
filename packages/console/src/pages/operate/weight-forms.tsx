// The forms of weights: what operators write about one, and an address to fetch one from.

import { type ReactNode, useState } from "react";
import { weights as words } from "#strings/operators/weights";
import type { Weight } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { TextField } from "../../ui/fields.tsx";

export function NotesForm({ of: weight, onClose }: { readonly of: Weight; readonly onClose: () => void }): ReactNode {
  const [licence, setLicence] = useState(weight.licence ?? "");
  const [note, setNote] = useState(weight.note ?? "");
  return (
    <ChangeForm
      action={words.save}
      why={null}
      change={() =>
        call(operations.changeWeight, {
          params: { weightId: weight.id },
          json: { licence: licence.trim() || null, note: note.trim() || null },
        })
      }
      stale={[["admin", "weights"]]}
      onClose={onClose}
    >
      <TextField
        label={words.licence}
        maxLength={200}
        autoComplete="off"
        value={licence}
        onChange={(event) => setLicence(event.target.value)}
      />
      <TextField
        label={words.note}
        maxLength={1_000}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </ChangeForm>
  );
}

export function FetchForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [url, setUrl] = useState("");
  const [path, setPath] = useState("");
  const [blake3, setBlake3] = useState("");
  const [bytes, setBytes] = useState("");
  const isWhole =
    /^https:\/\/\S+$/.test(url.trim()) &&
    /.\/./.test(path) &&
    /^[0-9a-f]{64}$/.test(blake3.trim()) &&
    /^[1-9]\d{0,14}$/.test(bytes.trim());
  return (
    <ChangeForm
      action={words.fetchAction}
      why={isWhole ? null : words.fetchFirst}
      change={() =>
        call(operations.addWeight, {
          json: { url: url.trim(), path: path.trim(), blake3: blake3.trim(), bytes: Number(bytes) },
        })
      }
      stale={[["admin", "weights"]]}
      said={(made) => words.fetching(made.path)}
      onClose={onClose}
    >
      <TextField
        label={words.url}
        hint={words.urlHint}
        autoComplete="off"
        inputMode="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={words.path}
        hint={words.pathHint}
        autoComplete="off"
        maxLength={1_000}
        value={path}
        onChange={(event) => setPath(event.target.value)}
      />
      <TextField
        label={words.hash}
        autoComplete="off"
        maxLength={64}
        value={blake3}
        onChange={(event) => setBlake3(event.target.value)}
      />
      <TextField
        label={words.bytes}
        inputMode="numeric"
        autoComplete="off"
        value={bytes}
        onChange={(event) => setBytes(event.target.value)}
      />
    </ChangeForm>
  );
}

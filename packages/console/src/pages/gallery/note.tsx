// The note on a file: saved when the field loses the focus, or with Ctrl Enter.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { useWhyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { TextArea } from "../../ui/fields.tsx";

const words = galleryViewer.note;

export function Note({ assetId, say }: { readonly assetId: string; readonly say: (words: string) => void }): ReactNode {
  const queries = useQueryClient();
  const key = ["asset note", assetId];
  const { data } = useQuery({ ...readQuery(key, operations.getAssetNote, { params: { assetId } }), retry: 0 });
  const whyNot = useWhyNot(operations.setAssetNote);
  const [typed, setTyped] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (text: string) => call(operations.setAssetNote, { params: { assetId }, json: { text } }),
    onSuccess: (note) => {
      queries.setQueryData(key, note);
      setTyped(null);
      say(note.text === "" ? words.removed : words.saved);
    },
    onError: (thrown) => say(words.failed(asFault(thrown).message)),
  });
  if (data === undefined) return null;
  const keep = () => {
    if (typed !== null && typed.trim() !== data.text) save.mutate(typed.trim());
  };
  return (
    <TextArea
      label={words.label}
      placeholder={words.placeholder}
      rows={2}
      maxLength={4000}
      readOnly={whyNot !== null}
      title={whyNot ?? undefined}
      value={typed ?? data.text}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={keep}
      // The viewer's keys are letters, which belong to the text here.
      onKeyDown={(event) => {
        if (event.key !== "Escape") event.stopPropagation();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
      }}
    />
  );
}

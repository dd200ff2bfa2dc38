// Where a workflow is kept: its name, its folder, its tags.
import type { ReactNode } from "react";
import { saveWorkflowWords as words } from "#strings/ui/save-workflow";
import { type Filing, tagsIn } from "../../api/saved/saved-workflows.ts";
import { TextField } from "../fields.tsx";

// As typed; tags are read when it is sent.
export interface TypedFiling {
  readonly name: string;
  readonly folder: string;
  readonly tags: string;
}

export const typedOf = ({ name, folder, tags }: Filing): TypedFiling => ({ name, folder, tags: tags.join(", ") });

export const filingOf = ({ name, folder, tags }: TypedFiling): Filing => ({
  name: name.trim(),
  folder: folder.trim(),
  tags: tagsIn(tags),
});

export const whyNotFiled = ({ name }: TypedFiling): string | null => (name.trim() === "" ? words.namePrompt : null);

export function FilingFields(props: {
  readonly typed: TypedFiling;
  readonly onTyped: (typed: TypedFiling) => void;
  // A copy takes the tags of the original.
  readonly withoutTags?: boolean;
}): ReactNode {
  const { typed, onTyped } = props;
  return (
    <>
      <TextField
        label={words.name}
        required
        maxLength={100}
        value={typed.name}
        onChange={({ target }) => onTyped({ ...typed, name: target.value })}
      />
      <TextField
        label={words.folder}
        hint={words.folderHint}
        maxLength={800}
        value={typed.folder}
        onChange={({ target }) => onTyped({ ...typed, folder: target.value })}
      />
      {props.withoutTags ? null : (
        <TextField
          label={words.tags}
          hint={words.tagsHint}
          value={typed.tags}
          onChange={({ target }) => onTyped({ ...typed, tags: target.value })}
        />
      )}
    </>
  );
}

export function NoteField(props: { readonly note: string; readonly onNote: (note: string) => void }): ReactNode {
  return (
    <TextField
      label={words.note}
      hint={words.noteHint}
      maxLength={500}
      value={props.note}
      onChange={({ target }) => props.onNote(target.value)}
    />
  );
}

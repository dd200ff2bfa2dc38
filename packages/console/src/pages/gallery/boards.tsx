// Putting files on boards: a dialog with every board, and a name for a new one.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { gallery } from "#strings/gallery";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, TextField } from "../../ui/fields.tsx";
import { toastFault } from "../../ui/toast.tsx";
import styles from "./gallery.module.css";
import { galleryQuery, type Item } from "./items.ts";
import { boarding, boardTag } from "./marks.ts";
import { useMark } from "./use-mark.ts";

const words = gallery.boards;
// A tag has at most 128 characters.
const tagMax = 128;

export function BoardDialog(props: {
  readonly items: readonly Item[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Dialog title={words.title(props.items.length)} isOpen={props.isOpen} onClose={props.onClose}>
      <BoardForm items={props.items} onClose={props.onClose} />
    </Dialog>
  );
}

function BoardForm({ items, onClose }: { readonly items: readonly Item[]; readonly onClose: () => void }): ReactNode {
  const { data } = useQuery(galleryQuery);
  const mark = useMark();
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [name, setName] = useState("");
  const isOn = (tag: string) => chosen.get(tag) ?? items.every(({ tags }) => tags.includes(tag));
  const added = name.trim();
  const submit = async () => {
    const changes = new Map(chosen);
    if (added !== "") changes.set(boardTag(added), true);
    const refused = (thrown: unknown) => toastFault(thrown, words.failed);
    onClose();
    for (const [tag, on] of changes) await mark(items, boarding(tag, on), refused);
  };
  const why =
    boardTag(added).length > tagMax ? words.tooLong : chosen.size === 0 && added === "" ? words.nothingChosen : null;
  return (
    <DialogForm action={words.save} isBusy={false} why={why} onSubmit={() => void submit()} onCancel={onClose}>
      {(data?.boards ?? []).map(({ tag, name: board, assets }) => (
        <CheckField
          key={tag}
          label={words.entry(board, assets)}
          checked={isOn(tag)}
          onChange={(event) => setChosen(new Map([...chosen, [tag, event.target.checked]]))}
        />
      ))}
      <TextField label={words.create} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
    </DialogForm>
  );
}

// Every board, above the list: one click shows only what is on it.
export function BoardStrip(props: {
  readonly board: string | undefined;
  readonly onBoard: (tag: string | undefined) => void;
}): ReactNode {
  const { data } = useQuery(galleryQuery);
  if (data === undefined || data.boards.length === 0) return null;
  return (
    <fieldset className={styles.boards} aria-label={words.label}>
      {data.boards.map(({ tag, name, assets }) => (
        <button
          key={tag}
          type="button"
          aria-pressed={props.board === tag}
          onClick={() => props.onBoard(props.board === tag ? undefined : tag)}
        >
          {name} <span>{assets}</span>
        </button>
      ))}
    </fieldset>
  );
}

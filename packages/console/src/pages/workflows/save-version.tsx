// Saves the next version of a workflow, with a note. If another person saved one meanwhile, nothing is overwritten: the person
// sees the difference, and saves a copy or on top.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CopyPlus, Save } from "lucide-react";
import { type ReactNode, useState } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { shared } from "#strings/shared";
import { operations } from "../../api/operations.ts";
import { type Read, savedKey, saveVersion } from "../../api/saved/saved-workflows.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { NoteField } from "../../ui/save-workflow/filing-fields.tsx";
import { SaveDialog } from "../../ui/save-workflow/save-workflow.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Difference } from "./diff-list.tsx";
import type { ToSave } from "./document-text.ts";
import type { Edited } from "./runner.tsx";
import { type Base, type Conflict, saveOnBase } from "./save-conflict.ts";
import styles from "./saved.module.css";
import { versionsOf } from "./saved-versions.ts";

const words = savedWorkflows.save;

export function SaveVersionButton(props: { readonly edited: Edited; readonly onSave: () => void }): ReactNode {
  const { changed, why } = props.edited;
  return (
    <Button
      does={operations.saveWorkflowVersion}
      why={why ?? (changed === 0 ? words.unchanged : null)}
      onClick={props.onSave}
    >
      <Save aria-hidden="true" />
      {words.action}
    </Button>
  );
}

interface SaveProps {
  readonly read: Read;
  // What the changes are based on.
  readonly base: Base;
  readonly toSave: ToSave;
  readonly onClose: () => void;
  readonly onSaved: (base: Base) => void;
}

export function SaveVersionDialog(props: Omit<SaveProps, "toSave"> & { readonly toSave: ToSave | null }): ReactNode {
  const { toSave, read, onClose } = props;
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isCopying, setCopying] = useState(false);
  const close = () => {
    setConflict(null);
    onClose();
  };
  if (toSave !== null && isCopying)
    return (
      <SaveDialog
        isOpen
        title={words.conflict.copy}
        name={savedWorkflows.actions.copyName(read.workflow.name)}
        folder={read.workflow.folder}
        source={() => toSave}
        onClose={() => {
          setCopying(false);
          close();
        }}
      />
    );
  const title =
    conflict === null
      ? words.title(read.workflow.version + 1)
      : conflict.by === null
        ? words.conflict.byUnknown
        : words.conflict.by(conflict.by);
  return (
    <Dialog title={title} isOpen={toSave !== null} onClose={close} {...(conflict ? { size: "wide" as const } : {})}>
      {toSave === null ? null : (
        <SaveForm
          {...props}
          {...{ toSave, conflict }}
          onClose={close}
          onConflict={setConflict}
          onCopy={() => setCopying(true)}
        />
      )}
    </Dialog>
  );
}

function SaveForm(
  props: SaveProps & {
    readonly conflict: Conflict | null;
    readonly onConflict: (conflict: Conflict) => void;
    readonly onCopy: () => void;
  },
): ReactNode {
  const { conflict, toSave, onClose } = props;
  const [note, setNote] = useState("");
  const save = useSaveVersion(props, note);
  if (conflict !== null)
    return (
      <>
        <p>{words.conflict.text(conflict.theirs.version, conflict.base.version)}</p>
        <Heading>{words.conflict.difference(conflict.base.version, conflict.theirs.version)}</Heading>
        <div className={styles.conflict}>
          <Difference id={props.read.workflow.id} from={conflict.base.version} to={conflict.theirs.version} />
        </div>
        {save.error ? <FaultNote fault={save.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button disabled={save.isPending} onClick={() => save.mutate(conflict.theirs)}>
            {words.conflict.onTop}
          </Button>
          <Button look="primary" onClick={props.onCopy}>
            <CopyPlus aria-hidden="true" />
            {words.conflict.copy}
          </Button>
        </DialogFoot>
      </>
    );
  return (
    <DialogForm
      action={save.isPending ? words.saving : words.save}
      isBusy={save.isPending}
      fault={save.error}
      onSubmit={() => save.mutate(props.base)}
      onCancel={onClose}
    >
      {toSave.losesLayout ? <p className={kit.soft}>{words.losesLayout}</p> : null}
      <NoteField note={note} onNote={setNote} />
    </DialogForm>
  );
}

function useSaveVersion(
  { read, toSave, onSaved, onConflict }: SaveProps & { readonly onConflict: (conflict: Conflict) => void },
  note: string,
) {
  const { id } = read.workflow;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (base: Base) =>
      saveOnBase(base, {
        save: (etag) => saveVersion(id, toSave, { note: note.trim(), etag }),
        ...versionsOf(queries, id),
      }),
    onSuccess: (outcome, base) => {
      if ("conflict" in outcome) return onConflict(outcome.conflict);
      const { version, etag } = outcome.saved;
      // The page moves on first, so that what is typed after the message goes into the new version's form.
      onSaved({ version: version.version, etag });
      toast(version.version === base.version ? words.same : words.saved(version.version));
      void queries.invalidateQueries({ queryKey: savedKey });
    },
  });
}

// Saves a workflow under a name and opens it. The document is read when it is sent, because it may have to be fetched first.
import { useNavigate } from "@tanstack/react-router";
import { Save } from "lucide-react";
import { type ReactNode, useState } from "react";
import { saveWorkflowWords as words } from "#strings/ui/save-workflow";
import { operations } from "../../api/operations.ts";
import { type Source, savedKey, saveWorkflow, useKeeps } from "../../api/saved/saved-workflows.ts";
import { Button, type ButtonLook } from "../button.tsx";
import { useChange } from "../calls/use-change.ts";
import { Dialog } from "../dialog.tsx";
import { DialogForm } from "../dialog-form.tsx";
import kit from "../kit.module.css";
import { FilingFields, filingOf, NoteField, whyNotFiled } from "./filing-fields.tsx";

interface Saved {
  // The name to start from.
  readonly name: string;
  readonly folder?: string;
  readonly source: () => Source | Promise<Source>;
  // Said in the dialog, above the fields.
  readonly said?: string | null;
}

export function SaveWorkflowButton({
  look,
  small,
  why,
  ...saved
}: Saved & Pick<ButtonLook, "look" | "small"> & { readonly why?: string | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!useKeeps()) return null;
  return (
    <>
      <Button does={operations.saveWorkflow} look={look} small={small} why={why} onClick={() => setOpen(true)}>
        <Save aria-hidden="true" />
        {words.action}
      </Button>
      <SaveDialog {...saved} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

export function SaveDialog(
  props: Saved & { readonly isOpen: boolean; readonly onClose: () => void; readonly title?: string },
): ReactNode {
  return (
    <Dialog title={props.title ?? words.title} isOpen={props.isOpen} onClose={props.onClose}>
      <SaveForm {...props} />
    </Dialog>
  );
}

function SaveForm({ name, folder = "", source, said, onClose }: Saved & { readonly onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState({ name, folder, tags: "" });
  const [note, setNote] = useState("");
  const navigate = useNavigate();
  const save = useChange({
    change: async () => saveWorkflow(await source(), { ...filingOf(typed), note: note.trim() }),
    stale: [savedKey],
    said: (saved) => words.saved(saved.name),
    after: (saved) => {
      onClose();
      void navigate({ to: "/console/workflows/$workflowId", params: { workflowId: saved.id } });
    },
  });
  return (
    <DialogForm
      action={save.isPending ? words.saving : words.save}
      isBusy={save.isPending}
      fault={save.error}
      why={whyNotFiled(typed)}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      {said ? <p className={kit.soft}>{said}</p> : null}
      <FilingFields typed={typed} onTyped={setTyped} />
      <NoteField note={note} onNote={setNote} />
    </DialogForm>
  );
}

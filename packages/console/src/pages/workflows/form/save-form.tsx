// Saves the form with the workflow, as its next version. If another person saved one meanwhile, the person sees the difference,
// and can save the form with that version: nothing else of it changes.
import type { SavedWorkflow } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Save } from "lucide-react";
import { type ReactNode, useState } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { shared } from "#strings/shared";
import { workForm } from "#strings/works/form";
import { type Owner, openDrafts } from "../../../api/drafts.ts";
import { asFault, type FieldFault } from "../../../api/fault.ts";
import { operations } from "../../../api/operations.ts";
import { savedKey } from "../../../api/saved/saved-workflows.ts";
import { saveWorkflowForm, workflowFormQuery } from "../../../api/works/works.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { Heading } from "../../../ui/heading.tsx";
import kit from "../../../ui/kit.module.css";
import { NoteField } from "../../../ui/save-workflow/filing-fields.tsx";
import { FaultNote } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Difference } from "../diff-list.tsx";
import { type Base, type Conflict, saveOnBase } from "../save-conflict.ts";
import saved from "../saved.module.css";
import { versionsOf } from "../saved-versions.ts";
import { draftName, type FormDraft } from "./form-keeping.ts";
import { refusalsIn } from "./publishing.ts";
import { RefusedForm } from "./refused-form.tsx";

const words = workForm.save;
const conflictWords = savedWorkflows.save.conflict;

interface SaveFormProps {
  readonly workflow: SavedWorkflow;
  // What the form is based on.
  readonly base: Base;
  readonly owner: Owner;
  readonly draft: FormDraft;
  readonly onSaved: (base: Base) => void;
  // The server refused parts of the form.
  readonly onRefused: (faults: readonly FieldFault[]) => void;
}

// `why` it cannot be saved now.
export function SaveForm(props: SaveFormProps & { readonly why: string | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const close = () => {
    setConflict(null);
    setOpen(false);
  };
  const title =
    conflict === null
      ? words.title(props.base.version + 1)
      : conflict.by === null
        ? conflictWords.byUnknown
        : conflictWords.by(conflict.by);
  return (
    <>
      <Button does={operations.saveWorkflowForm} why={props.why} onClick={() => setOpen(true)}>
        <Save aria-hidden="true" />
        {words.action}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close} {...(conflict ? { size: "wide" as const } : {})}>
        <Saving {...props} {...{ conflict }} onConflict={setConflict} onClose={close} />
      </Dialog>
    </>
  );
}

interface SavingProps extends SaveFormProps {
  readonly conflict: Conflict | null;
  readonly onConflict: (conflict: Conflict) => void;
  readonly onClose: () => void;
}

function Saving(props: SavingProps): ReactNode {
  const { conflict, workflow } = props;
  const [note, setNote] = useState("");
  const save = useSaveForm(props, note);
  const refused = save.error ? refusalsIn(asFault(save.error)).form : [];
  const refusal =
    refused.length === 0 ? null : (
      <RefusedForm
        fault={asFault(save.error)}
        faults={refused}
        onShow={(faults) => {
          props.onClose();
          props.onRefused(faults);
        }}
      />
    );
  const other = save.error && refusal === null ? save.error : undefined;
  if (conflict !== null)
    return (
      <>
        <p>{conflictWords.text(conflict.theirs.version, conflict.base.version)}</p>
        <Heading>{conflictWords.difference(conflict.base.version, conflict.theirs.version)}</Heading>
        <div className={saved.conflict}>
          <Difference id={workflow.id} from={conflict.base.version} to={conflict.theirs.version} />
        </div>
        <p className={kit.soft}>{words.theirs}</p>
        {refusal}
        {other ? <FaultNote fault={other} /> : null}
        <DialogFoot>
          <Button onClick={props.onClose}>{shared.cancel}</Button>
          <Button look="primary" disabled={save.isPending} onClick={() => save.mutate(conflict.theirs)}>
            {words.withTheirs(conflict.theirs.version)}
          </Button>
        </DialogFoot>
      </>
    );
  return (
    <DialogForm
      action={save.isPending ? words.saving : words.save}
      isBusy={save.isPending}
      fault={other}
      onSubmit={() => save.mutate(props.base)}
      onCancel={props.onClose}
    >
      <p className={kit.soft}>{words.text}</p>
      <NoteField note={note} onNote={setNote} />
      {refusal}
    </DialogForm>
  );
}

function useSaveForm({ workflow: { id }, draft, owner, onSaved, onConflict, onClose }: SavingProps, note: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (base: Base) =>
      saveOnBase(base, {
        save: (etag) => saveWorkflowForm(id, { form: draft.form, note: note.trim() }, etag),
        ...versionsOf(queries, id),
      }),
    onSuccess: (outcome, base) => {
      if ("conflict" in outcome) return onConflict(outcome.conflict);
      const { form, etag } = outcome.saved;
      const { version } = form;
      queries.setQueryData(workflowFormQuery(id, version).queryKey, form);
      // Examples that are not published yet go on with the new version.
      openDrafts(owner).write(draftName(id, version), { form: form.form, examples: draft.examples });
      onClose();
      onSaved({ version, etag });
      toast(version === base.version ? words.same : words.saved(version));
      void queries.invalidateQueries({ queryKey: savedKey });
    },
  });
}

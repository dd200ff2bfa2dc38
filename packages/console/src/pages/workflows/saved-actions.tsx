// What can be done with a saved workflow besides running it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Archive, CopyPlus, Download, Ellipsis, FileUp, PencilLine, Trash2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { changeSaved, type Read, readDocument, savedKey } from "../../api/saved/saved-workflows.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import kit from "../../ui/kit.module.css";
import { entry, Menu } from "../../ui/menu.tsx";
import { FilingFields, filingOf, typedOf, whyNotFiled } from "../../ui/save-workflow/filing-fields.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import { documentToSave, type ToSave } from "./document-text.ts";
import { openFile } from "./open-workflow.ts";

const words = savedWorkflows.actions;

type Open = "edit" | "duplicate" | "remove" | null;

export function SavedActions(props: { readonly read: Read; readonly onFile: (toSave: ToSave) => void }): ReactNode {
  const { workflow } = props.read;
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const archive = useArchiving(props.read);
  const picker = useRef<HTMLInputElement>(null);
  const download = (format?: "api") =>
    downloadDocument(props.read, format).catch((thrown: unknown) => toastFault(thrown, words.notDownloaded));
  const isArchived = workflow.archived_at !== null;
  return (
    <>
      <Menu
        label={words.more}
        iconOnly
        trigger={<Ellipsis aria-hidden="true" />}
        entries={[
          entry(PencilLine, words.edit, operations.changeSavedWorkflow, () => setOpen("edit")),
          entry(CopyPlus, words.duplicate, operations.duplicateSavedWorkflow, () => setOpen("duplicate")),
          entry(FileUp, words.fileVersion, operations.saveWorkflowVersion, () => picker.current?.click()),
          entry(Download, words.download, operations.getSavedWorkflow, () => void download()),
          ...(workflow.format === "editor"
            ? [entry(Download, words.downloadApi, operations.getSavedWorkflow, () => void download("api"))]
            : []),
          ...(isArchived
            ? [entry(Trash2, words.remove, operations.deleteSavedWorkflow, () => setOpen("remove"))]
            : [entry(Archive, words.archive, operations.changeSavedWorkflow, () => archive.mutate(true))]),
        ]}
      />
      <FilePicker picker={picker} onFile={props.onFile} />
      <Dialog title={words.editTitle} isOpen={open === "edit"} onClose={close}>
        <EditForm read={props.read} onClose={close} />
      </Dialog>
      <Dialog title={words.duplicateTitle} isOpen={open === "duplicate"} onClose={close}>
        <DuplicateForm read={props.read} onClose={close} />
      </Dialog>
      <Remove read={props.read} isOpen={open === "remove"} onClose={close} />
    </>
  );
}

// A file or picture with the next version.
function FilePicker(props: {
  readonly picker: React.RefObject<HTMLInputElement | null>;
  readonly onFile: (toSave: ToSave) => void;
}): ReactNode {
  const open = async (file: File) => {
    const opened = await openFile(file);
    props.onFile(documentToSave(opened, opened.graph, false));
  };
  return (
    <input
      ref={props.picker}
      type="file"
      hidden
      aria-label={words.file}
      onChange={({ target }) => {
        const file = target.files?.[0];
        if (file) void open(file).catch((thrown: unknown) => toastFault(thrown, words.notOpened));
        target.value = "";
      }}
    />
  );
}

export function useArchiving(read: Read) {
  const queries = useQueryClient();
  const { name } = read.workflow;
  return useMutation({
    mutationFn: (archived: boolean) => changeSaved(read, { archived }),
    onSuccess: (_, archived) => {
      toast(archived ? words.archivedSaid(name) : savedWorkflows.page.broughtBack(name));
      void queries.invalidateQueries({ queryKey: savedKey });
    },
    onError: (thrown, archived) => {
      toastFault(thrown, archived ? words.notArchived : savedWorkflows.page.notBroughtBack);
      void queries.invalidateQueries({ queryKey: savedKey });
    },
  });
}

function EditForm({ read, onClose }: { readonly read: Read; readonly onClose: () => void }): ReactNode {
  // As it was when the form opened: another person's rename is not undone unseen.
  const [based] = useState(read);
  const [typed, setTyped] = useState(() => typedOf(read.workflow));
  return (
    <ChangeForm
      action={words.editSave}
      why={whyNotFiled(typed)}
      change={() => changeSaved(based, filingOf(typed))}
      stale={[savedKey]}
      said={() => words.edited}
      onClose={onClose}
    >
      <FilingFields typed={typed} onTyped={setTyped} />
    </ChangeForm>
  );
}

function DuplicateForm({ read, onClose }: { readonly read: Read; readonly onClose: () => void }): ReactNode {
  const { id, name, folder, version } = read.workflow;
  const [typed, setTyped] = useState({ name: words.copyName(name), folder, tags: "" });
  const navigate = useNavigate();
  return (
    <ChangeForm
      action={words.duplicate}
      why={whyNotFiled(typed)}
      change={() => {
        const filing = filingOf(typed);
        const json = { name: filing.name, folder: filing.folder, version };
        return call(operations.duplicateSavedWorkflow, { params: { workflowId: id }, json });
      }}
      stale={[savedKey]}
      said={(made) => words.duplicated(made.name)}
      after={(made) => void navigate({ to: "/console/workflows/$workflowId", params: { workflowId: made.id } })}
      onClose={onClose}
    >
      <p className={kit.soft}>{words.duplicateText(version)}</p>
      <FilingFields typed={typed} onTyped={setTyped} withoutTags />
    </ChangeForm>
  );
}

function Remove(props: { readonly read: Read; readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const { workflow, etag } = props.read;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      call(operations.deleteSavedWorkflow, { params: { workflowId: workflow.id }, headers: { "if-match": etag } }),
    onSuccess: async () => {
      toast(words.removed(workflow.name));
      await navigate({ to: "/console/workflows" });
      queries.removeQueries({ queryKey: [...savedKey, workflow.id] });
      void queries.invalidateQueries({ queryKey: savedKey });
    },
    onError: (thrown) => toastFault(thrown, words.remove),
  });
  return (
    <Confirm
      title={words.removeTitle(workflow.name)}
      isOpen={props.isOpen}
      onClose={props.onClose}
      onConfirm={() => remove.mutate()}
      action={words.remove}
      isBusy={remove.isPending}
    >
      <p>{words.removeText(workflow.version)}</p>
    </Confirm>
  );
}

async function downloadDocument({ workflow }: Read, format: "api" | undefined): Promise<void> {
  const response = await readDocument(workflow.id, workflow.version, { format });
  const name = workflow.name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "_");
  saveFile(await response.blob(), `${name}${format === "api" ? ".api" : ""}.json`);
}

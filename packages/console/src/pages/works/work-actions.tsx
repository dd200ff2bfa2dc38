// What can be done with a work besides calling it: describe, share, deprecate, withdraw.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Hourglass, PencilLine, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { works } from "#strings/works/pages";
import { operations } from "../../api/operations.ts";
import { changeWork, type ReadWork, withdrawWork, worksKey } from "../../api/works/works.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";

const words = works.actions;

type Open = "edit" | "deprecate" | "withdraw" | null;

export function WorkActions({ read }: { readonly read: ReadWork }): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const title = read.work.title ?? read.work.name;
  const entry = (icon: ReactNode, label: string, does: string, onPick: () => void) => ({
    label: (
      <>
        {icon}
        {label}
      </>
    ),
    does,
    onPick,
  });
  return (
    <>
      <Menu
        label={words.more}
        iconOnly
        trigger={<Ellipsis aria-hidden="true" />}
        entries={[
          entry(<PencilLine aria-hidden="true" />, words.edit, operations.changeWork, () => setOpen("edit")),
          entry(<Hourglass aria-hidden="true" />, words.deprecate, operations.changeWork, () => setOpen("deprecate")),
          entry(<Trash2 aria-hidden="true" />, words.withdraw, operations.deleteWork, () => setOpen("withdraw")),
        ]}
      />
      <Dialog title={words.editTitle} isOpen={open === "edit"} onClose={close}>
        <EditForm read={read} onClose={close} />
      </Dialog>
      <Dialog title={words.deprecateTitle(title)} isOpen={open === "deprecate"} onClose={close}>
        <DeprecateForm read={read} onClose={close} />
      </Dialog>
      <Withdraw read={read} isOpen={open === "withdraw"} onClose={close} />
    </>
  );
}

interface FormProps {
  readonly read: ReadWork;
  readonly onClose: () => void;
}

function useChange({ read, onClose }: FormProps, said: string) {
  // As it was when the form opened: another person's change is not undone unseen.
  const [based] = useState(read);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Parameters<typeof changeWork>[1]) => changeWork(based, change),
    onSuccess: () => {
      toast(said);
      void queries.invalidateQueries({ queryKey: worksKey });
      onClose();
    },
  });
}

function EditForm(props: FormProps): ReactNode {
  const { work } = props.read;
  const [title, setTitle] = useState(work.title ?? "");
  const [description, setDescription] = useState(work.description ?? "");
  const [visibility, setVisibility] = useState(work.visibility);
  const [sharedWith, setSharedWith] = useState(work.shared_with.join("\n"));
  const save = useChange(props, words.saved);
  return (
    <DialogForm
      action={words.save}
      isBusy={save.isPending}
      fault={save.error}
      onCancel={props.onClose}
      onSubmit={() =>
        save.mutate({
          title: title.trim() || null,
          description: description.trim() || null,
          visibility,
          ...(visibility === "shared" ? { shared_with: idsIn(sharedWith) } : {}),
        })
      }
    >
      <TextField
        label={words.heading}
        maxLength={100}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextArea
        label={words.description}
        rows={3}
        maxLength={1_000}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <SelectField
        label={words.visibility}
        hint={visibility === "private" ? undefined : words.graphSeen}
        value={visibility}
        choices={(["private", "shared", "public"] as const).map((value) => ({
          value,
          label: words.visibilityChoices[value],
        }))}
        onChange={({ target }) => setVisibility(target.value as typeof visibility)}
      />
      {visibility === "shared" ? (
        <TextArea
          label={words.sharedWith}
          hint={words.sharedWithHint}
          rows={2}
          spellCheck={false}
          value={sharedWith}
          onChange={({ target }) => setSharedWith(target.value)}
        />
      ) : null}
    </DialogForm>
  );
}

const idsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

function DeprecateForm(props: FormProps): ReactNode {
  const { deprecated_at, sunset_at } = props.read.work;
  const [end, setEnd] = useState(sunset_at?.slice(0, 10) ?? "");
  const save = useChange(props, words.deprecated);
  const isPast = end !== "" && Date.parse(end) <= Date.now();
  return (
    <DialogForm
      action={words.deprecate}
      isBusy={save.isPending}
      fault={save.error}
      why={isPast ? words.sunsetPast : null}
      onCancel={props.onClose}
      onSubmit={() =>
        save.mutate({
          deprecated_at: deprecated_at ?? new Date().toISOString(),
          sunset_at: end === "" ? null : new Date(end).toISOString(),
        })
      }
    >
      <p>{words.deprecateText}</p>
      <TextField
        type="date"
        label={words.sunset}
        hint={words.sunsetHint}
        value={end}
        wrong={isPast ? words.sunsetPast : null}
        onChange={({ target }) => setEnd(target.value)}
      />
    </DialogForm>
  );
}

function Withdraw({ read, isOpen, onClose }: FormProps & { readonly isOpen: boolean }): ReactNode {
  const { id, name, title, versions } = read.work;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const withdraw = useMutation({
    mutationFn: () => withdrawWork(read),
    onSuccess: async () => {
      toast(words.withdrawn(id));
      onClose();
      await navigate({ to: "/console/works" });
      queries.removeQueries({ queryKey: [...worksKey, name] });
      void queries.invalidateQueries({ queryKey: worksKey });
    },
    onError: (thrown) => toastFault(thrown, words.withdraw),
  });
  return (
    <Confirm
      title={words.withdrawTitle(title ?? name)}
      isOpen={isOpen}
      onClose={onClose}
      action={words.withdraw}
      isBusy={withdraw.isPending}
      onConfirm={() => withdraw.mutate()}
    >
      <p>{words.withdrawText(versions)}</p>
    </Confirm>
  );
}

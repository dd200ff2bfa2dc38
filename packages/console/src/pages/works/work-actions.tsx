// What can be done with a work besides calling it: describe, share, deprecate, withdraw.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Hourglass, PencilLine, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { works } from "#strings/works/pages";
import { operations } from "../../api/operations.ts";
import { changeWork, type ReadWork, withdrawWork, worksKey } from "../../api/works/works.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useDraft, useField } from "../../ui/calls/use-draft.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import { entry, Menu } from "../../ui/menu.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";

const words = works.actions;

type Open = "edit" | "deprecate" | "withdraw" | null;

export function WorkActions({ read }: { readonly read: ReadWork }): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const title = read.work.title ?? read.work.name;
  return (
    <>
      <Menu
        label={words.more}
        iconOnly
        trigger={<Ellipsis aria-hidden="true" />}
        entries={[
          entry(PencilLine, words.edit, operations.changeWork, () => setOpen("edit")),
          entry(Hourglass, words.deprecate, operations.changeWork, () => setOpen("deprecate")),
          entry(Trash2, words.withdraw, operations.deleteWork, () => setOpen("withdraw")),
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

function EditForm(props: FormProps): ReactNode {
  // As it was when the form opened: another person's change is not undone unseen.
  const [based] = useState(props.read);
  const { work } = based;
  const { draft, field } = useDraft({
    title: work.title ?? "",
    description: work.description ?? "",
    sharedWith: work.shared_with.join("\n"),
  });
  const [visibility, setVisibility] = useState(work.visibility);
  return (
    <ChangeForm
      action={words.save}
      change={() =>
        changeWork(based, {
          title: draft.title.trim() || null,
          description: draft.description.trim() || null,
          visibility,
          ...(visibility === "shared" ? { shared_with: idsIn(draft.sharedWith) } : {}),
        })
      }
      stale={[worksKey]}
      said={() => words.saved}
      onClose={props.onClose}
    >
      <TextField label={words.heading} maxLength={100} {...field("title")} />
      <TextArea label={words.description} rows={3} maxLength={1_000} {...field("description")} />
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
          {...field("sharedWith")}
        />
      ) : null}
    </ChangeForm>
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
  const [based] = useState(props.read);
  const { deprecated_at, sunset_at } = props.read.work;
  const [end, endField] = useField(sunset_at?.slice(0, 10) ?? "");
  const isPast = end !== "" && Date.parse(end) <= Date.now();
  return (
    <ChangeForm
      action={words.deprecate}
      why={isPast ? words.sunsetPast : null}
      change={() =>
        changeWork(based, {
          deprecated_at: deprecated_at ?? new Date().toISOString(),
          sunset_at: end === "" ? null : new Date(end).toISOString(),
        })
      }
      stale={[worksKey]}
      said={() => words.deprecated}
      onClose={props.onClose}
    >
      <p>{words.deprecateText}</p>
      <TextField
        type="date"
        label={words.sunset}
        hint={words.sunsetHint}
        {...endField}
        wrong={isPast ? words.sunsetPast : null}
      />
    </ChangeForm>
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

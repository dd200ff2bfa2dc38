// A form in a dialog that makes one change. It closes when the change is made, and otherwise shows why it was refused.
import type { ComponentProps, ReactNode } from "react";
import { DialogForm } from "../dialog-form.tsx";
import { type Change, useChange } from "./use-change.ts";

type FormProps = Omit<ComponentProps<typeof DialogForm>, "isBusy" | "onSubmit" | "onCancel">;

export function ChangeForm<Made>({
  change,
  stale,
  said,
  after,
  canSubmit,
  fault,
  onClose,
  ...form
}: FormProps &
  Omit<Change<Made>, "failed"> & {
    // Asked when the person submits, for forms that show what is wrong only then.
    readonly canSubmit?: () => boolean;
    readonly onClose: () => void;
  }): ReactNode {
  const changing = useChange<Made>({
    change,
    ...(stale ? { stale } : {}),
    ...(said ? { said } : {}),
    after: (made, given) => {
      onClose();
      return after?.(made, given);
    },
  });
  const submit = () => {
    if (canSubmit?.() ?? true) changing.mutate();
  };
  return (
    <DialogForm
      {...form}
      isBusy={changing.isPending}
      fault={changing.error ?? fault}
      onCancel={onClose}
      onSubmit={submit}
    />
  );
}

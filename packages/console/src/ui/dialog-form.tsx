// A form in a dialog: Enter submits it, the server's refusal appears above the buttons, and nothing is sent twice.

import type { FormEvent, ReactNode } from "react";
import { shared } from "#strings/shared";
import { Button } from "./button.tsx";
import { DialogFoot } from "./dialog.tsx";
import styles from "./dialog-form.module.css";
import { FaultNote } from "./states.tsx";

export function DialogForm(props: {
  readonly action: string;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly isBusy: boolean;
  readonly fault?: unknown;
  readonly look?: "primary" | "danger";
  // Why it cannot be submitted yet.
  readonly why?: string | null;
  readonly children: ReactNode;
}): ReactNode {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!props.isBusy && !props.why) props.onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {props.children}
      {props.fault ? <FaultNote fault={props.fault} /> : null}
      <DialogFoot>
        <Button onClick={props.onCancel}>{shared.cancel}</Button>
        <Button type="submit" look={props.look ?? "primary"} disabled={props.isBusy} why={props.why}>
          {props.action}
        </Button>
      </DialogFoot>
    </form>
  );
}

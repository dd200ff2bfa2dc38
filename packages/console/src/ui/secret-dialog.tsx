// Creates something that is shown only once: a form asks for it, then the same dialog shows it until it is closed. The secret is
// only in this dialog's state; closing forgets it.

import type { QueryKey } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { useChange } from "./calls/use-change.ts";
import { Dialog, DialogFoot } from "./dialog.tsx";
import { DialogForm } from "./dialog-form.tsx";
import kit from "./kit.module.css";

// What the form gets from its dialog.
export interface SecretSteps<Made> {
  readonly onMade: (made: Made) => void;
  readonly onCancel: () => void;
}

export function SecretDialog<Made>(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: "wide";
  readonly readyTitle: (made: Made) => string;
  // Its buttons and its call are in a SecretForm.
  readonly form: (steps: SecretSteps<Made>) => ReactNode;
  readonly secret: (made: Made) => ReactNode;
  readonly done: string;
}): ReactNode {
  const [made, setMade] = useState<Made | null>(null);
  const close = () => {
    setMade(null);
    props.onClose();
  };
  // A secret stays until the person closes it, even if the address that opened the form is left.
  const isOpen = props.isOpen || made !== null;
  return (
    <Dialog
      title={made === null ? props.title : props.readyTitle(made)}
      isOpen={isOpen}
      onClose={close}
      {...(props.size && made === null ? { size: props.size } : {})}
    >
      {made === null ? (
        props.form({ onMade: setMade, onCancel: close })
      ) : (
        <Shown done={props.done} onClose={close}>
          {props.secret(made)}
        </Shown>
      )}
    </Dialog>
  );
}

function Shown(props: {
  readonly done: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  // The focus went away with the form, so we move it to the next step: copying.
  useEffect(() => body.current?.querySelector("button")?.focus(), []);
  return (
    <div className={kit.stack} ref={body}>
      {props.children}
      <DialogFoot>
        <Button look="primary" onClick={props.onClose}>
          {props.done}
        </Button>
      </DialogFoot>
    </div>
  );
}

type FormProps = Omit<ComponentProps<typeof DialogForm>, "isBusy" | "fault" | "onSubmit">;

export function SecretForm<Made>({
  create,
  changes,
  canSubmit,
  onMade,
  ...form
}: FormProps & {
  readonly create: () => Promise<Made>;
  // The list that now has one more entry.
  readonly changes?: QueryKey;
  readonly canSubmit?: () => boolean;
  readonly onMade: (made: Made) => void;
}): ReactNode {
  const creating = useChange<Made>({ change: create, ...(changes ? { stale: [changes] } : {}), after: onMade });
  const submit = () => {
    if (canSubmit?.() ?? true) creating.mutate();
  };
  return <DialogForm {...form} isBusy={creating.isPending} fault={creating.error} onSubmit={submit} />;
}

// A dialog, using the browser's own element: it traps the focus, closes with Escape, and restores the focus.

import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { shared } from "#strings/shared";
import { Button, IconButton } from "./button.tsx";
import { UnderTitle } from "./heading.tsx";
import kit from "./kit.module.css";

export function Dialog(props: {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly size?: "wide";
  readonly children: ReactNode;
}): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const isClosedByUs = useRef(false);
  const id = useId();
  const { isOpen } = props;
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    if (isOpen && !dialog.open) {
      dialog.showModal();
      // The browser would focus the close button; in a form people want the first field.
      dialog.querySelector<HTMLElement>("form :is(input,select,textarea)")?.focus();
    }
    if (isOpen || !dialog.open) return;
    isClosedByUs.current = true;
    dialog.close();
  }, [isOpen]);
  // The event comes a moment later, when the dialog may have been asked for again.
  const onClose = () => {
    if (!isClosedByUs.current) props.onClose();
    isClosedByUs.current = false;
  };
  return (
    <dialog
      ref={element}
      className={kit.dialog}
      data-size={props.size}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      {isOpen ? (
        <>
          <div className={kit.dialogHead}>
            <h2 id={id}>{props.title}</h2>
            <IconButton small label={shared.close} onClick={props.onClose}>
              <X aria-hidden="true" />
            </IconButton>
          </div>
          <UnderTitle>
            <div className={kit.dialogBody}>{props.children}</div>
          </UnderTitle>
        </>
      ) : null}
    </dialog>
  );
}

export function DialogFoot({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={kit.dialogFoot}>{children}</div>;
}

// Asks before something that cannot be undone.
export function Confirm(props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly action: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <div>{props.children}</div>
      <DialogFoot>
        <Button onClick={props.onClose}>{shared.cancel}</Button>
        <Button look="danger" disabled={props.isBusy} onClick={props.onConfirm}>
          {props.action}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

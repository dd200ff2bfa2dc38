// Short messages about what just happened: announced politely to screen readers, gone after some seconds, with an action if
// there is one (undo).

import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { ui } from "#strings/ui";
import { Button, IconButton } from "./button.tsx";
import kit from "./kit.module.css";
import { endToast, type Toast, toastsNow, watchToasts } from "./toast-store.ts";

export { toast, toastFault } from "./toast-store.ts";

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(watchToasts, toastsNow);
  const area = useRef<HTMLDivElement>(null);
  const newest = shown.at(-1)?.id;
  // Raised to the top each time, because an open dialog would cover them.
  useEffect(() => {
    if (newest === undefined) return;
    area.current?.showPopover();
    return () => area.current?.hidePopover();
  }, [newest]);
  return (
    <div ref={area} popover="manual" className={kit.toasts} role="status" aria-live="polite">
      {shown.map((each) => (
        <OneToast key={each.id} toast={each} />
      ))}
    </div>
  );
}

function OneToast({ toast: { id, words, tone, seconds, action } }: { readonly toast: Toast }): ReactNode {
  useEffect(() => {
    const timer = setTimeout(() => endToast(id), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [id, seconds]);
  const close = () => endToast(id);
  return (
    <div className={kit.toast} data-tone={tone}>
      <span>{words}</span>
      {action ? (
        <Button
          small
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton small label={ui.dismiss} onClick={close}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

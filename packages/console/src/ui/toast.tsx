// Short words about what just happened; said politely to those who hear the page, gone after some seconds, with an action
// where there is one (undo).
import { X } from "lucide-react";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { asFault } from "../api/fault.ts";
import { Button, IconButton } from "./button.tsx";
import kit from "./kit.module.css";

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly tone: "plain" | "bad";
  readonly seconds: number;
  readonly action?: { readonly label: string; readonly run: () => void };
}

let toasts: readonly Toast[] = [];
let counted = 0;
const watchers = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const tell of watchers) tell();
}

export function toast(words: string, more: Partial<Pick<Toast, "tone" | "seconds" | "action">> = {}): () => void {
  const made = { id: ++counted, words, tone: "plain" as const, seconds: 5, ...more };
  set([...toasts.slice(-3), made]);
  return () => set(toasts.filter(({ id }) => id !== made.id));
}

export function toastFault(thrown: unknown, doing: string): void {
  const { message, requestId } = asFault(thrown);
  toast(`${doing}: ${message}${requestId ? ` (request ${requestId})` : ""}`, { tone: "bad", seconds: 10 });
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => toasts,
  );
  return (
    <div className={kit.toasts} role="status" aria-live="polite">
      {shown.map((each) => (
        <OneToast key={each.id} toast={each} />
      ))}
    </div>
  );
}

function OneToast({ toast: { id, words, tone, seconds, action } }: { readonly toast: Toast }): ReactNode {
  useEffect(() => {
    const timer = setTimeout(() => set(toasts.filter((each) => each.id !== id)), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [id, seconds]);
  const close = () => set(toasts.filter((each) => each.id !== id));
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
      <IconButton small label="Dismiss" onClick={close}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

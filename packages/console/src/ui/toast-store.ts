// Short messages about what just happened, from anywhere; `toast.tsx` shows them.
import { shared } from "#strings/shared";
import { ui } from "#strings/ui";
import { asFault } from "../api/fault.ts";

export interface Toast {
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
  for (const notify of watchers) notify();
}

export const toastsNow = (): readonly Toast[] => toasts;

export function watchToasts(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

export function endToast(id: number): void {
  set(toasts.filter((each) => each.id !== id));
}

export function toast(words: string, more: Partial<Pick<Toast, "tone" | "seconds" | "action">> = {}): () => void {
  const made = { id: ++counted, words, tone: "plain" as const, seconds: 5, ...more };
  set([...toasts.slice(-3), made]);
  return () => endToast(made.id);
}

export function toastFault(thrown: unknown, doing: string): void {
  const { code, message, requestId } = asFault(thrown);
  const again = { label: shared.signInAgain, run: () => location.assign(signInAddress()) };
  const way = code === "sign_in_again" ? { action: again } : {};
  toast(ui.failed(doing, message, requestId), { tone: "bad", seconds: 10, ...way });
}

// Leads back to this page.
export function signInAddress(): string {
  return `/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`;
}

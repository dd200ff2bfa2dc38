// The keys of the review queue: j and k go to the next and the previous version, a and r open the decision. They press the buttons
// that are there, so a role that may not decide gets the same reason as with a click.
import { useEffect } from "react";

const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-waiting]")];

export function useReviewKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const all = cards();
      const at = all.findIndex((card) => card.contains(document.activeElement));
      const step = { j: 1, k: -1 }[event.key];
      if (step !== undefined) {
        all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
        event.preventDefault();
      }
      const decision = { a: "approve", r: "reject" }[event.key];
      if (decision === undefined || at < 0) return;
      all[at]?.querySelector<HTMLElement>(`[data-decision="${decision}"]`)?.click();
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog]") !== null) return true;
  return target instanceof HTMLElement && target.matches(":read-write, select");
}

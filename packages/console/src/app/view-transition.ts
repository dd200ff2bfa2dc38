// Between a list and an entry the picture of the entry moves to where the entry shows it, and the rest fades. The browser does it; where it
// cannot, or where people asked for less motion, the page simply changes. Loaded after the page.
import { movedBetween, type PageLocation } from "./moved-between.ts";
import "./view-transition.css";

interface Moving {
  readonly latestLocation: PageLocation;
  readonly stores: { readonly resolvedLocation: { get(): PageLocation | undefined } };
  startViewTransition: (change: () => Promise<void>) => void;
}

export function moveBetweenPages(router: Moving): void {
  const plain = router.startViewTransition;
  router.startViewTransition = (change) => {
    const from = router.stores.resolvedLocation.get();
    const entry = from === undefined ? null : movedBetween(from, router.latestLocation);
    const isStill = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (entry === null || isStill) return plain(change);
    const named: HTMLElement[] = [];
    const name = () => {
      for (const element of named.splice(0)) element.style.viewTransitionName = "";
      const found = pictureOf(entry);
      if (found === null) return;
      found.style.viewTransitionName = "entry";
      named.push(found);
    };
    name();
    const moving = document.startViewTransition(async () => {
      await change();
      name();
    });
    // Another way was taken before this one had ended.
    moving.ready.catch(() => undefined);
    void moving.finished.finally(() => {
      for (const element of named) element.style.viewTransitionName = "";
    });
    return moving.updateCallbackDone;
  };
}

// In view, because what is not would fly in from outside.
function pictureOf(entry: string): HTMLElement | null {
  const all = document.querySelectorAll<HTMLElement>(`[data-entry="${CSS.escape(entry)}"]`);
  const shown = [...all].filter((element) => {
    const { top, bottom, width } = element.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  });
  return shown.at(-1) ?? null;
}

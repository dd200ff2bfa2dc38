// Where a click leads, known from the moment of the click. What we can draw immediately (the chosen entry) is painted before the
// page is rendered, however long that takes: a click gets a response within a frame or two.
import { useSyncExternalStore } from "react";

let going: string | null = null;
const watchers = new Set<() => void>();

export function useGoing(): string | null {
  return useSyncExternalStore(watch, () => going);
}

export async function goTo(path: string, go: () => Promise<void>): Promise<void> {
  set(path);
  try {
    await painted();
    await go();
  } finally {
    if (going === path) set(null);
  }
}

function set(path: string | null): void {
  going = path;
  for (const notify of watchers) notify();
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

// Resolves once the changes are on the screen: in the task after the next frame. A hidden page has no frames.
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}

// Where a click leads, from the moment of the click. What can be drawn at once (the entry that was chosen) is painted before
// the page is made, however long that takes: a click is answered within a frame or two.
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
  for (const tell of watchers) tell();
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

// What was drawn is on the screen: the task after the next frame. A page that is not looked at has no frames.
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}

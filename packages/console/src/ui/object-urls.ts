// Pictures that need the credential, kept in memory. We fetch a few at a time, the newest request first, and skip those that
// left the page before their turn. Bytes stay while something shows them; the rest is evicted, longest unseen first.
import { authorisedFetch } from "../api/session.ts";

interface Kept {
  url: string | "gone" | null;
  users: Set<() => void>;
  control: AbortController | null;
}

const atOnce = 8;
const keptMax = 600;
const kept = new Map<string, Kept>();
const line: string[] = [];
let running = 0;

export function urlAt(path: string): string | "gone" | null {
  return kept.get(path)?.url ?? null;
}

// Calls `tell` when the bytes at this path are loaded; call the returned function when they are no longer needed.
export function holdBytesAt(path: string, notify: () => void): () => void {
  const known = kept.get(path) ?? { url: null, users: new Set(), control: null };
  // The map is in order of use, most recent last.
  kept.delete(path);
  kept.set(path, known);
  known.users.add(notify);
  if (known.url === null && known.control === null) {
    line.push(path);
    next();
  }
  return () => {
    known.users.delete(notify);
    if (known.users.size > 0 || known.url !== null) return forgetOldest();
    known.control?.abort();
    kept.delete(path);
  };
}

function next(): void {
  while (running < atOnce) {
    const path = line.pop();
    if (path === undefined) return;
    const wanted = kept.get(path);
    if (wanted === undefined || wanted.users.size === 0 || wanted.url !== null || wanted.control !== null) continue;
    running++;
    void load(path, wanted).finally(() => {
      running--;
      next();
    });
  }
}

async function load(path: string, wanted: Kept): Promise<void> {
  const control = new AbortController();
  wanted.control = control;
  try {
    const response = await authorisedFetch(path, { signal: control.signal });
    wanted.url = response.ok ? URL.createObjectURL(await response.blob()) : "gone";
  } catch {
    if (control.signal.aborted) return;
    wanted.url = "gone";
  } finally {
    wanted.control = null;
  }
  for (const notify of wanted.users) notify();
}

function forgetOldest(): void {
  if (kept.size <= keptMax) return;
  for (const [path, { users, url }] of kept) {
    if (users.size > 0) continue;
    if (url !== null && url !== "gone") URL.revokeObjectURL(url);
    kept.delete(path);
    if (kept.size <= keptMax) return;
  }
}

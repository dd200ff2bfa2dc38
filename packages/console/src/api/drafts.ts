// Unfinished work, stored in this browser: by person and workspace, for a month, and deleted at sign-out. Callers must remove
// secrets before they store a value here.
import { parseJson, writeJson } from "@atelier/sdk";

const prefix = "atelier.draft.";
// From before drafts had owners.
const formerPrefix = "atelier.input.";
const keptMs = 30 * 86_400_000;
const charactersMax = 1_500_000;
const draftsMax = 60;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

// Null if nothing may be stored, because we do not know who is signed in.
export type Owner = string | null;

export interface KeptDraft {
  readonly name: string;
  readonly at: number;
  readonly value: unknown;
}

export interface Drafts {
  read(name: string): KeptDraft | null;
  // Whether it was stored: a browser may refuse, and we do not try large drafts.
  write(name: string, value: unknown): boolean;
  remove(name: string): void;
  // Newest first.
  list(namePrefix: string): readonly KeptDraft[];
}

export function openDrafts(owner: Owner, store: Store | null = browserStore(), now: () => number = Date.now): Drafts {
  if (owner === null || store === null) return nothing;
  const own = `${prefix}${owner}.`;
  const read = (name: string) => readDraft(store, own, name, now());
  return {
    read,
    write(name, value) {
      const text = writeJson({ at: now(), value });
      if (text.length > charactersMax) return false;
      forgetOthers(store, owner);
      if (put(store, own + name, text)) return bounded(store, own, now());
      // Storage is full: drop the older half.
      const kept = all(store, own, now());
      for (const { name: old } of kept.slice(Math.floor(kept.length / 2))) store.removeItem(own + old);
      return put(store, own + name, text);
    },
    remove: (name) => store.removeItem(own + name),
    list: (namePrefix) => all(store, own, now()).filter(({ name }) => name.startsWith(namePrefix)),
  };
}

const nothing: Drafts = { read: () => null, write: () => false, remove: () => undefined, list: () => [] };

// At sign-out, so that no draft stays in this browser.
export function endDrafts(store: Store | null = browserStore()): void {
  if (store === null) return;
  for (const key of keysOf(store)) if (key.startsWith(prefix) || key.startsWith(formerPrefix)) store.removeItem(key);
}

// Another person has signed in here, so we delete the previous person's drafts. A person's own drafts in other workspaces stay.
function forgetOthers(store: Store, owner: string): void {
  const person = `${prefix}${owner.split(".")[0]}.`;
  for (const key of keysOf(store))
    if (key.startsWith(formerPrefix) || (key.startsWith(prefix) && !key.startsWith(person))) store.removeItem(key);
}

function all(store: Store, own: string, now: number): readonly KeptDraft[] {
  return keysOf(store)
    .flatMap((key) => (key.startsWith(own) ? (readDraft(store, own, key.slice(own.length), now) ?? []) : []))
    .toSorted((one, other) => other.at - one.at);
}

function bounded(store: Store, own: string, now: number): true {
  const count = keysOf(store).filter((key) => key.startsWith(own)).length;
  if (count > draftsMax) for (const { name } of all(store, own, now).slice(draftsMax)) store.removeItem(own + name);
  return true;
}

function readDraft(store: Store, own: string, name: string, now: number): KeptDraft | null {
  const text = store.getItem(own + name);
  if (text === null) return null;
  try {
    const { at, value } = parseJson(text) as { at: unknown; value: unknown };
    if (typeof at === "number" && now - at < keptMs) return { name, at, value };
  } catch {
    // Saved by another version.
  }
  store.removeItem(own + name);
  return null;
}

function put(store: Store, key: string, text: string): boolean {
  try {
    store.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function keysOf(store: Store): readonly string[] {
  return Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
}

// A browser may forbid storage by throwing.
function browserStore(): Store | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

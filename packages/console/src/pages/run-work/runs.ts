// What was made in this tab, newest first: kept until the tab is closed. Files among the inputs are left out, because they would
// fill the storage.
import { parseJson, writeJson } from "@atelier/sdk";
import { isRecord } from "../../api/json-record.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import type { MediaKind, Medium } from "../../ui/viewers/found-media.ts";

export interface Shown {
  readonly url: string;
  readonly kind: MediaKind;
  readonly name: string;
}

export interface Made {
  readonly id: string;
  readonly inputs: Input;
  readonly media: readonly Shown[];
  // It was not made here: it shows what the work can make.
  readonly isExample?: true;
}

// A run that the server has not confirmed yet: under the same key it runs once, however often it is sent.
export interface Started {
  readonly key: string;
  readonly inputs: Input;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export const madeMax = 24;
const textMax = 20_000;
const nameOf = (work: string): string => `atelier.made.${work}`;
const runningOf = (work: string): string => `atelier.running.${work}`;
const startedOf = (work: string): string => `atelier.started.${work}`;

// Outputs come as addresses on our own content origin.
export function shownOf(media: readonly Medium[]): readonly Shown[] {
  return media.flatMap((medium) =>
    medium.from === "address" ? [{ url: medium.url, kind: medium.kind, name: medium.name }] : [],
  );
}

export function withMade(list: readonly Made[], made: Made): readonly Made[] {
  const light = Object.entries(made.inputs).filter(([, value]) => typeof value !== "string" || value.length <= textMax);
  const others = list.filter(({ id }) => id !== made.id);
  return [{ ...made, inputs: Object.fromEntries(light) }, ...others].slice(0, madeMax);
}

// Those of this tab that the server does not have yet, then those of the server, in its order.
export function allMade(ofTab: readonly Made[], ofServer: readonly Made[]): readonly Made[] {
  const kept = new Set(ofServer.map(({ id }) => id));
  return [...ofTab.filter(({ id }) => !kept.has(id)), ...ofServer].slice(0, madeMax);
}

export function readMade(work: string, store: Store | null): readonly Made[] {
  try {
    const value = parseJson(store?.getItem(nameOf(work)) ?? "[]");
    return Array.isArray(value) ? value.filter(isMade) : [];
  } catch {
    return [];
  }
}

export function writeMade(work: string, list: readonly Made[], store: Store | null): void {
  try {
    store?.setItem(nameOf(work), writeJson(list));
  } catch {
    // Storage is full or switched off; the list lasts as long as the page.
  }
}

// The call that runs, so that a reload finds it again.
export const readRunning = (work: string, store: Store | null): string | null => {
  const id = store?.getItem(runningOf(work)) ?? null;
  return id !== null && /^[0-9a-f-]{36}$/.test(id) ? id : null;
};

export function writeRunning(work: string, id: string | null, store: Store | null): void {
  write(runningOf(work), id, store);
}

// Sent again after a reload, if no id came back before it.
export function readStarted(work: string, store: Store | null): Started | null {
  try {
    const value = parseJson(store?.getItem(startedOf(work)) ?? "null");
    if (!isRecord(value) || typeof value["key"] !== "string" || !isRecord(value["inputs"])) return null;
    return { key: value["key"], inputs: value["inputs"] };
  } catch {
    return null;
  }
}

export function writeStarted(work: string, started: Started | null, store: Store | null): void {
  write(startedOf(work), started === null ? null : writeJson(started), store);
}

function write(name: string, text: string | null, store: Store | null): void {
  try {
    // What was there before is out of date, even if this has no room.
    store?.removeItem(name);
    if (text !== null) store?.setItem(name, text);
  } catch {
    // As above.
  }
}

function isMade(value: unknown): value is Made {
  if (!isRecord(value) || typeof value["id"] !== "string" || !isRecord(value["inputs"])) return false;
  const { media } = value;
  return Array.isArray(media) && media.every((each) => isRecord(each) && typeof each["url"] === "string");
}

// A browser may forbid storage by throwing.
export function tabStore(): Store | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

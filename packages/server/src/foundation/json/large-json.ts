// Strict JSON of a whole body, with the hash of its canonical form. A large body is parsed in a thread and comes back in
// pieces, one per turn of the event loop, so that no other request waits for it. The limits bound what it may contain.
import { ownEntry } from "@atelier/engine/own-code";
import type { Clock } from "../clock.ts";
import { fairThreads, largeBytesMin } from "../own-thread.ts";
import type { LargeJsonPieces, LargeJsonTask } from "./large-json.worker.ts";
import { type ReadJson, type ReadJsonOptions, readWhole } from "./read-json.ts";

export interface JsonReader {
  // `unhashed`: members of the outermost object that are left out of the hash. Throws as parseJson does.
  // `flow`: whose body it is.
  read(bytes: Buffer, options: ReadJsonOptions, flow: string): Promise<ReadJson>;
  close(): Promise<void>;
}

export function createJsonReader(clock: Clock): JsonReader {
  const threads = fairThreads<LargeJsonTask, LargeJsonPieces>(ownEntry("./large-json.worker", import.meta.url), clock);
  return {
    async read(bytes, options, flow) {
      if (bytes.byteLength <= largeBytesMin) return readWhole(bytes, options);
      return together(await threads.run({ bytes, ...options }, flow));
    },
    close: () => threads.close(),
  };
}

async function together({ whole, members, exact, hash }: LargeJsonPieces): Promise<ReadJson> {
  const exactIntegers = new Map<string, string>();
  for (const text of exact) {
    await nextTurn();
    const entries: [string, string][] = JSON.parse(text);
    for (const [pointer, digits] of entries) exactIntegers.set(pointer, digits);
  }
  if (whole !== null) return { value: JSON.parse(whole), exactIntegers, hash };
  const value: Record<string, unknown> = {};
  for (const { of, list, text } of members) {
    await nextTurn();
    const piece = JSON.parse(text);
    const target = of === null ? value : objectAt(value, of);
    if (list === undefined) addTo(target, piece);
    else listAt(target, list).push(...piece);
  }
  return { value, exactIntegers, hash };
}

function objectAt(value: Record<string, unknown>, name: string): object {
  const known = Object.hasOwn(value, name) ? value[name] : undefined;
  if (typeof known === "object" && known !== null) return known;
  const made = {};
  addTo(value, { [name]: made });
  return made;
}

function listAt(holder: object, name: string): unknown[] {
  const known: unknown = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
  if (Array.isArray(known)) return known;
  const made: unknown[] = [];
  addTo(holder, { [name]: made });
  return made;
}

// Defines a plain member, even if it is called __proto__.
function addTo(target: object, piece: object): void {
  for (const [name, value] of Object.entries(piece))
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

// Lets other work run first.
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

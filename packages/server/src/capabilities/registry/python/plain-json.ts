// Values as JSON. What cannot be read is left out and reported, except what the application itself provides: its lists of
// samplers and the machine's files are no part of a pack.
import { isKind, isPlain, pathOf, type Value } from "./value.ts";

export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export type Note = (what: string, of: Value | null) => void;

const nestingMax = 12;
const partsMax = 20_000;

export class JsonWriter {
  #parts = 0;
  readonly note: Note;

  constructor(note: Note) {
    this.note = note;
  }

  // Undefined if it cannot be read.
  write(value: Value | undefined, what: string, depth = 0): Json | undefined {
    if (value === undefined || ++this.#parts > partsMax || depth > nestingMax) return undefined;
    if (isPlain(value)) return typeof value === "number" && !Number.isFinite(value) ? undefined : writeText(value);
    if (isKind(value, "list")) {
      if (value.open !== null) this.note(what, value.open);
      return value.items.flatMap((item) => this.write(item, what, depth + 1) ?? (item === null ? [null] : []));
    }
    if (isKind(value, "dict")) {
      if (value.open !== null) this.note(what, value.open);
      return this.#members(value.entries, what, depth);
    }
    const type = applicationType(value);
    if (type !== null) return type;
    this.note(what, value);
    return undefined;
  }

  #members(entries: ReadonlyMap<Value, Value>, what: string, depth: number): Json {
    const members: [string, Json][] = [];
    for (const [key, value] of entries) {
      const json = isPlain(key) ? this.write(value, what, depth + 1) : undefined;
      if (json !== undefined) members.push([String(key), json]);
    }
    return Object.fromEntries(members);
  }
}

// PostgreSQL stores neither NUL nor half a surrogate pair.
const writeText = (value: string | number | bigint | boolean | null) =>
  typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value;

// `IO.IMAGE` and its relatives: the application's names of types.
export function applicationType(value: Value): string | null {
  const name = isKind(value, "external")
    ? /(?:^|\.)(?:IO|io)\.([A-Z][A-Z_0-9]*)(?:\.value)?$/.exec(value.path)?.[1]
    : undefined;
  if (name === undefined) return null;
  if (name === "ANY") return "*";
  if (name === "NUMBER") return "FLOAT,INT";
  return name === "PRIMITIVE" ? "STRING,FLOAT,INT,BOOLEAN" : name;
}

export function isOfApplication(value: Value | null): boolean {
  const path = value === null ? null : pathOf(value);
  return (
    path !== null &&
    /^(?:folder_paths|comfy|comfy_extras|comfy_execution|comfy_api|nodes|server|execution|latent_preview|node_helpers)(?:\.|$)/.test(
      path,
    )
  );
}

// Turns the inputs of a route into those of one target, as its mapping says. Pure. Values that are only renamed keep their bytes:
// an integer beyond 2^53 must arrive with all its digits.
import type { RouteInputs } from "@atelier/contract";
import { isRecord } from "../../foundation/json/json-record.ts";
import { membersOf } from "../../foundation/json/json-spans.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";

export interface MappedInput {
  readonly document: Readonly<Record<string, unknown>>;
  readonly exactIntegers: ReadonlyMap<string, string>;
  // Inputs of the call that the target does not get.
  readonly dropped: readonly string[];
}

export interface UnmappedInput {
  // The input whose value the target has no word for.
  readonly unknownChoice: string;
}

const noMapping: RouteInputs = {};

// `silent`: a member that only concerns the route's first target; it is left out without mention.
export function mapInput(
  inputs: RouteInputs = noMapping,
  given: { readonly document: unknown; readonly exactIntegers: ReadonlyMap<string, string> },
  silent: string | null = null,
): MappedInput | UnmappedInput {
  const source = isRecord(given.document) ? given.document : {};
  const document: Record<string, unknown> = {};
  const dropped: string[] = [];
  const exactIntegers = new Map<string, string>();
  for (const name of Object.keys(source)) {
    if (name === silent) continue;
    if (inputs.drop?.includes(name)) {
      dropped.push(name);
      continue;
    }
    const chosen = chosenValue(inputs, name, source[name]);
    if (chosen === null) return { unknownChoice: name };
    const newName = renamed(inputs, name);
    define(document, newName, chosen.value);
    if (!chosen.isSame) continue;
    for (const [pointer, digits] of given.exactIntegers) moveInteger(exactIntegers, { pointer, digits, name, newName });
  }
  for (const [name, value] of Object.entries(inputs.constants ?? {})) define(document, name, value);
  return { document, exactIntegers, dropped };
}

// The same for the bytes of a body that was already mapped.
export function mapBytes(inputs: RouteInputs = noMapping, bytes: Buffer, silent: string | null = null): Buffer {
  const constants = inputs.constants ?? {};
  const parts: Buffer[] = [];
  const add = (name: string, value: Buffer) => {
    parts.push(Buffer.from(`${parts.length === 0 ? "{" : ","}${JSON.stringify(name)}:`), value);
  };
  for (const { name, start, end } of membersOf(bytes, bytes.indexOf("{"))) {
    const newName = renamed(inputs, name);
    if (name === silent || inputs.drop?.includes(name) || Object.hasOwn(constants, newName)) continue;
    const own = bytes.subarray(start, end);
    const isChosen = Object.hasOwn(inputs.choices ?? {}, name);
    const chosen = isChosen ? chosenValue(inputs, name, JSON.parse(own.toString("utf8"))) : null;
    add(newName, chosen === null ? own : Buffer.from(JSON.stringify(chosen.value)));
  }
  for (const [name, value] of Object.entries(constants)) add(name, Buffer.from(JSON.stringify(value)));
  return parts.length === 0 ? Buffer.from("{}") : Buffer.concat([...parts, Buffer.from("}")]);
}

export function renamed({ rename }: RouteInputs, name: string): string {
  return rename && Object.hasOwn(rename, name) ? (rename[name] ?? name) : name;
}

// Null if the target has no value for it.
function chosenValue(
  { choices }: RouteInputs,
  name: string,
  value: unknown,
): { value: unknown; isSame: boolean } | null {
  const table = choices && Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (table === undefined) return { value, isSame: true };
  const word = typeof value === "string" ? value : JSON.stringify(value);
  return Object.hasOwn(table, word) ? { value: table[word], isSame: false } : null;
}

function moveInteger(
  into: Map<string, string>,
  { pointer, digits, name, newName }: { pointer: string; digits: string; name: string; newName: string },
): void {
  const from = `/${pointerSegment(name)}`;
  if (pointer === from || pointer.startsWith(`${from}/`))
    into.set(`/${pointerSegment(newName)}${pointer.slice(from.length)}`, digits);
}

// Defines a plain member, even if it is called __proto__.
function define(document: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(document, name, { value, enumerable: true, writable: true, configurable: true });
}

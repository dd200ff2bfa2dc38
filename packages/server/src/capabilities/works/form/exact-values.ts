// Values whose integers beyond 2^53 are bigints, and back: plain numbers with the digits beside them.
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import { pointerSegment } from "../../../foundation/json-pointer.ts";
import { exactGraph } from "../../graphs/index.ts";

// A copy where it differs.
export function exactValue({ value, exactIntegers }: JsonDocument): unknown {
  return isRecord(value) ? exactGraph(value, exactIntegers) : value;
}

// The value of a member of a node, exactly.
export function exactMember(document: JsonDocument, names: readonly string[]): unknown {
  let value = document.value;
  for (const name of names) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  if (document.exactIntegers.size === 0) return value;
  const pointer = pointerTo(names);
  const digits = document.exactIntegers.get(pointer);
  if (digits !== undefined && typeof value === "number") return BigInt(digits);
  if (typeof value !== "object" || value === null) return value;
  const below = [...document.exactIntegers].filter(([at]) => at.startsWith(`${pointer}/`));
  const holder: JsonRecord = { value };
  const moved = below.map(([at, text]): [string, string] => [`/value${at.slice(pointer.length)}`, text]);
  const exact = exactGraph(holder, new Map(moved));
  return isRecord(exact) ? exact["value"] : value;
}

export const pointerTo = (names: readonly string[]) => names.map((name) => `/${pointerSegment(name)}`).join("");

// With plain numbers; the digits of those that do not fit go into `digits`.
export function plainValue(value: unknown, pointer: string, digits: Map<string, string>): unknown {
  if (typeof value === "bigint") {
    if (!Number.isSafeInteger(Number(value))) digits.set(pointer, String(value));
    return Number(value);
  }
  const inner = (name: string | number, member: unknown) =>
    plainValue(member, `${pointer}/${pointerSegment(String(name))}`, digits);
  if (Array.isArray(value)) return value.map((item, index) => inner(index, item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(name, member)]));
}

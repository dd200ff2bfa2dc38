// The state of a form: a JSON value in which integers beyond 2^53 are bigint. Paths read and change it; values are never
// mutated.

import { isRecord } from "../../api/json-record.ts";
import type { Path } from "./json-schema.ts";

export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const part of path) {
    if (Array.isArray(here)) here = here[Number(part)];
    else if (isRecord(here) && Object.hasOwn(here, part)) here = here[part];
    else return undefined;
  }
  return here;
}

// undefined removes the member. Missing objects along the path are created; emptied ones stay.
export function withValueAt(value: unknown, path: Path, next: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return next;
  if (typeof first === "number" || Array.isArray(value)) {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    const changed = withValueAt(list[Number(first)], rest, next);
    if (changed === undefined) list.splice(Number(first), 1);
    else list[Number(first)] = changed;
    return list;
  }
  const record = isRecord(value) ? value : {};
  const changed = withValueAt(Object.hasOwn(record, first) ? record[first] : undefined, rest, next);
  if (changed !== undefined) return { ...record, [first]: changed };
  const { [first]: _gone, ...left } = record;
  return left;
}

// Parses an integer with every digit. Anything else stays text, which the check then reports.
export function integerOf(text: string): number | bigint | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!/^[+-]?\d+$/.test(trimmed)) return trimmed;
  const exact = BigInt(trimmed.replace(/^\+/, ""));
  const near = Number(exact);
  return Number.isSafeInteger(near) ? near : exact;
}

export function numberOf(text: string): number | bigint | string | undefined {
  const trimmed = text.trim().replace(",", ".");
  if (/^[+-]?\d+$/.test(trimmed)) return integerOf(trimmed);
  if (trimmed === "") return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

// 32 bits, because every provider we know accepts that; fewer if the field does not.
export function randomSeed(most: number | null = null): number {
  const drawn = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return most !== null && most >= 0 && most < 2 ** 32 ? drawn % (Math.floor(most) + 1) : drawn;
}

export const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((part, at) => String(part) === String(other[at]));

export const startsWith = (path: Path, start: Path): boolean =>
  path.length >= start.length && start.every((part, at) => String(part) === String(path[at]));

// One spelling per JSON value: keys sorted by UTF-16 code units, no spaces. Equal values give equal bytes, so fingerprints and
// ETags do not depend on key order.
import { pointerSegment } from "../json-pointer.ts";

const noExactIntegers: ReadonlyMap<string, string> = new Map();

// `exactIntegers` of the parsed document distinguishes integers above 2^53 that are equal as doubles. Undefined members are
// left out; anything that is not JSON is our bug and throws.
export function canonicalJson(value: unknown, exactIntegers: ReadonlyMap<string, string> = noExactIntegers): string {
  return write(value, exactIntegers.size > 0 ? exactIntegers : null, "");
}

function write(value: unknown, exact: ReadonlyMap<string, string> | null, pointer: string): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("A number that is not finite cannot be written as JSON.");
    return exact?.get(pointer) ?? JSON.stringify(value);
  }
  if (typeof value !== "object") throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
  const below = (segment: string | number) => (exact ? `${pointer}/${pointerSegment(String(segment))}` : "");
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, exact, below(index))).join(",")}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError("Only plain objects can be written as JSON.");
  const members: string[] = [];
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${write(member, exact, below(key))}`);
  return `{${members.join(",")}}`;
}

// Which addresses in an answer lead to its files. An answer may repeat what the caller wrote, so an address counts only
// at the positions the definition names for results, and only hosts that the definition names count as the provider's.
// Any other address is untrusted.

import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { namesInPointer } from "../../../foundation/json-pointer.ts";
import type { ServedModel } from "../served-model.ts";

const answerBytesMax = 8 * 1024 * 1024;

// True if the answer has this exact address among its results.
export function holdsResultAddress(
  { definition }: Pick<ServedModel, "definition">,
  answer: Buffer,
  address: string,
): boolean {
  const document = answer.byteLength > answerBytesMax ? undefined : jsonOrUndefined(answer);
  if (document === undefined) return false;
  const paths = (definition.result ?? [""]).map(parsePointer);
  return paths.some((path) => stringsBelow(at(document, path)).has(address));
}

// Every web address among its results, in the order of the answer. None without named positions: anything else in an answer may be
// what the caller wrote.
export function resultAddresses({ definition }: Pick<ServedModel, "definition">, answer: Buffer): string[] {
  const document = answer.byteLength > answerBytesMax ? undefined : jsonOrUndefined(answer);
  if (document === undefined || definition.result === undefined) return [];
  const found = definition.result.flatMap((pointer) => [...stringsBelow(at(document, parsePointer(pointer)))]);
  return [...new Set(found)].filter((text) => /^https?:\/\//i.test(text));
}

// True if the address is on a host the model's definition names, with the scheme of its base URL.
export function isProviderAddress(
  { baseUrl, definition }: Pick<ServedModel, "baseUrl" | "definition">,
  url: URL,
): boolean {
  const base = new URL(baseUrl);
  const hosts = [base.host, ...(definition.poll?.hosts ?? []).map((host) => host.toLowerCase())];
  return url.protocol === base.protocol && url.username === "" && url.password === "" && hosts.includes(url.host);
}

// A pointer names the first item of a list, but the others are results too. So the path stops before the first number.
function parsePointer(pointer: string): readonly string[] {
  const names = namesInPointer(pointer);
  const number = names.findIndex((name) => /^\d+$/.test(name));
  return number < 0 ? names : names.slice(0, number);
}

function at(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function stringsBelow(top: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const left: unknown[] = [top];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") found.add(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) left.push(inner);
  }
  return found;
}

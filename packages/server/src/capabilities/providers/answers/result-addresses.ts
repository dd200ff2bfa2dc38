// Which addresses of an answer lead to its files. A model's answer may repeat what its caller wrote, so an address counts
// only where the definition says that results are, and the provider's own hosts are called only as the definition names
// them: any other address is a stranger's.

import { namesInPointer } from "../../../foundation/json-pointer.ts";
import type { ServedModel } from "../served-model.ts";

const answerBytesMax = 8 * 1024 * 1024;

// Whether the answer holds this very address among its results.
export function holdsResultAddress(
  { definition }: Pick<ServedModel, "definition">,
  answer: Buffer,
  address: string,
): boolean {
  const document = answer.byteLength > answerBytesMax ? undefined : parsed(answer);
  if (document === undefined) return false;
  const paths = (definition.result ?? [""]).map(pathOf);
  return paths.some((path) => stringsBelow(at(document, path)).has(address));
}

// Whether it leads to a host that the model's definition names, by the scheme of its base URL.
export function isAddressOfProvider(
  { baseUrl, definition }: Pick<ServedModel, "baseUrl" | "definition">,
  url: URL,
): boolean {
  const base = new URL(baseUrl);
  const hosts = [base.host, ...(definition.poll?.hosts ?? []).map((host) => host.toLowerCase())];
  return url.protocol === base.protocol && url.username === "" && url.password === "" && hosts.includes(url.host);
}

function parsed(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString("utf8"));
  } catch {
    return undefined;
  }
}

// A pointer names the first of a list, and the others are results too: so its path ends before the first number.
function pathOf(pointer: string): readonly string[] {
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

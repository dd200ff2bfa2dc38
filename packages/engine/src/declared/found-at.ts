// All values at a JSON pointer in which `*` stands for every item of a list.
import { isRecord } from "../graph/graph.ts";

const foundMax = 1_000;

export function foundAt(value: unknown, pointer: string): unknown[] {
  let found: unknown[] = [value];
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    found = found.flatMap((each) => inner(each, name)).slice(0, foundMax);
  }
  return found;
}

function inner(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) {
    if (name === "*") return value;
    return /^\d{1,9}$/.test(name) && Number(name) < value.length ? [value[Number(name)]] : [];
  }
  return isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

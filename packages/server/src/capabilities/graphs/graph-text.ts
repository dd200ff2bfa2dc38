// A graph as the text that is stored and run. Integers beyond 2^53 (seeds) keep their digits.
import { randomUUID } from "node:crypto";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { namesInPointer } from "../../foundation/json-pointer.ts";

export function graphText(graph: object, exactIntegers: ReadonlyMap<string, string>): Buffer {
  if (exactIntegers.size === 0) return Buffer.from(JSON.stringify(graph), "utf8");
  // The built-in writer is many times faster than a custom one, so markers that no caller can have written take the place of
  // the digits until it is done.
  const mark = randomUUID();
  const digits = [...exactIntegers.values()];
  const marks = new Map([...exactIntegers.keys()].map((pointer, at) => [pointer, `${mark}:${at}`]));
  const text = JSON.stringify(withReplaced(graph, marks));
  return Buffer.from(text.replaceAll(new RegExp(`"${mark}:(\\d+)"`, "g"), (_, at) => digits[Number(at)] ?? "0"));
}

// For validation that compares numbers: a seed of 2^64 is one more than an input accepts, which a double cannot tell.
export function exactGraph(graph: JsonRecord, exactIntegers: ReadonlyMap<string, string>): unknown {
  if (exactIntegers.size === 0) return graph;
  return withReplaced(graph, new Map([...exactIntegers].map(([pointer, digits]) => [pointer, BigInt(digits)])));
}

// The same graph with other values at these pointers, if there is a number. Parts that do not lead to one of them are not
// copied.
function withReplaced(value: unknown, replaced: ReadonlyMap<string, string | bigint>): unknown {
  const root = { "": value };
  const copies = new WeakSet<object>();
  for (const [pointer, other] of replaced) {
    let holder: object = root;
    let name = "";
    for (const next of namesInPointer(pointer)) {
      const inner: unknown = Reflect.get(holder, name);
      if (!Array.isArray(inner) && !isRecord(inner)) break;
      const copy: object = copies.has(inner) ? inner : Array.isArray(inner) ? [...inner] : { ...inner };
      copies.add(copy);
      Reflect.set(holder, name, copy);
      holder = copy;
      name = next;
      if (!Object.hasOwn(copy, name)) break;
    }
    if (holder !== root && Object.hasOwn(holder, name) && typeof Reflect.get(holder, name) === "number")
      Reflect.set(holder, name, other);
  }
  return root[""];
}

// An answer with one value changed, by JSON pointer: for answers that a provider might give in the future.

import { namesInPointer } from "../../foundation/json-pointer.ts";
import type { ScriptedAnswer } from "./scripted-provider.ts";

export function withValueAt(answer: ScriptedAnswer, pointer: string, value: unknown): ScriptedAnswer {
  const document: unknown = JSON.parse(answer.body.toString());
  return { ...answer, body: Buffer.from(JSON.stringify(changed(document, namesInPointer(pointer), value))) };
}

function changed(document: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(document)) return document.with(Number(key), changed(document[Number(key)], rest, value));
  const own: object = typeof document === "object" && document !== null ? document : {};
  return { ...own, [key]: changed(Reflect.get(own, key), rest, value) };
}

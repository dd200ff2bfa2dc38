// The model's answer → theirs, where its shape is another: pictures in a list, a text as a chat completion.
import { valueAt } from "../../capabilities/providers/index.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { TextAnswer } from "./mapping.ts";

export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  // As the caller named it.
  readonly model: string;
}

interface Picture {
  readonly url?: string;
  readonly b64_json?: string;
}

const depthMax = 6;

// Every object with a url or base64 below the value, in order. A data URL becomes base64.
export function picturesIn(value: unknown, depth = 0): Picture[] {
  if (typeof value !== "object" || value === null || depth > depthMax) return [];
  if (isRecord(value)) {
    if (typeof value["b64_json"] === "string") return [{ b64_json: value["b64_json"] }];
    if (typeof value["url"] === "string") return [pictureAt(value["url"])];
  }
  return Object.values(value).flatMap((inner) => picturesIn(inner, depth + 1));
}

function pictureAt(url: string): Picture {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  return base64 === undefined ? { url } : { b64_json: base64 };
}

export function imagesAnswer(document: unknown, at: string, created: number) {
  return { created, data: picturesIn(valueAt(document, at)) };
}

export function completionOf(head: CompletionHead, mapping: TextAnswer, document: unknown) {
  const content = textAt(document, mapping.text);
  return {
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        logprobs: null,
        finish_reason: finishWord(mapping, mapping.finish && valueAt(document, mapping.finish)),
      },
    ],
    usage: usageOf(valueAt(document, mapping.usage.prompt_tokens), valueAt(document, mapping.usage.completion_tokens)),
  };
}

export function usageOf(prompt: unknown, completion: unknown) {
  const [asked, written] = [Number(prompt ?? 0) || 0, Number(completion ?? 0) || 0];
  return { prompt_tokens: asked, completion_tokens: written, total_tokens: asked + written };
}

export function finishWord({ finish_words: words = {} }: TextAnswer, word: unknown): string {
  return typeof word === "string" && Object.hasOwn(words, word) ? (words[word] ?? "stop") : "stop";
}

// The texts at a pointer in which * stands for every element of a list, joined.
export function textAt(document: unknown, pointer: string): string {
  const star = pointer.indexOf("/*");
  if (star === -1) {
    const value = valueAt(document, pointer);
    return typeof value === "string" ? value : "";
  }
  const list = valueAt(document, pointer.slice(0, star));
  return Array.isArray(list) ? list.map((each) => textAt(each, pointer.slice(star + 2))).join("") : "";
}

// What a provider says about a refusal that no rule points at: the text in the usual place, else the start of its answer.
import { valueAt } from "../json-pointer.ts";
import { plainWords, type Received } from "./read-answer.ts";

const usual = ["/error/message", "/message", "/detail", "/error_description", "/error", "/detail/0/msg", "/title"];
const textLengthMax = 2_000;

export function saidWords({ document, body, contentType }: Pick<Received, "document" | "body" | "contentType">) {
  for (const pointer of usual) {
    const words = plainWords(valueAt(document, pointer));
    if (words !== null) return words;
  }
  const isText = document !== undefined || contentType === "" || contentType.startsWith("text/");
  return isText ? plainWords(withoutTags(body.toString("utf8", 0, textLengthMax))) : null;
}

function withoutTags(text: string): string {
  if (!/^\s*</.test(text)) return text;
  const shown = text.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ");
  return shown.replace(/<[^>]*(?:>|$)/g, " ").replace(/\s+/g, " ");
}

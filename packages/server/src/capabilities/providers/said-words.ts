// What a provider says about a refusal that no rule points at: where most of them write it, else its plain text.
import { valueAt } from "./json-pointer.ts";
import { plainWords, type Received } from "./read-answer.ts";

const usual = ["/error/message", "/message", "/detail", "/error_description", "/error", "/detail/0/msg", "/title"];

export function saidWords({ document, body, contentType }: Pick<Received, "document" | "body" | "contentType">) {
  for (const pointer of usual) {
    const words = plainWords(valueAt(document, pointer));
    if (words !== null) return words;
  }
  return contentType.startsWith("text/plain") ? plainWords(body.toString("utf8", 0, 2_000)) : null;
}

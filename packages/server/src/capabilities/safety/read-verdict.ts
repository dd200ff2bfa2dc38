// Reads what the hook answered. Anything that is not clearly a verdict is a failure, never a guess.
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { findSpan } from "../../foundation/json/json-spans.ts";
import type { SafetyStage, SafetyVerdict } from "./safety-hook.ts";

export type ReadVerdict =
  | Exclude<SafetyVerdict, { kind: "failed" }>
  | { readonly kind: "unreadable"; readonly why: string };

export function readVerdict(stage: SafetyStage, body: Buffer): ReadVerdict {
  const document = jsonOrUndefined(body);
  if (!isRecord(document)) return unreadable("its answer is not a JSON object");
  switch (document["verdict"]) {
    case "allow":
      return { kind: "allow" };
    case "refuse":
      return { kind: "refuse", reason: plainReason(document["reason"]) };
    case "replace": {
      if (document[stage] === undefined) return unreadable(`it replaces without "${stage}"`);
      // The bytes themselves: a parsed number may have lost digits.
      const span = findSpan(body, `/${stage}`);
      return span === null
        ? unreadable(`it replaces without "${stage}"`)
        : { kind: "replace", bytes: Buffer.from(body.subarray(span.start, span.end)) };
    }
    default:
      return unreadable('its "verdict" is not allow, refuse or replace');
  }
}

const unreadable = (why: string): ReadVerdict => ({ kind: "unreadable", why });

const reasonLengthMax = 300;

// The operator's own words to the caller.
function plainReason(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const words = [
    ...value
      .slice(0, 4 * reasonLengthMax)
      .replace(/[\p{C}\s]+/gu, " ")
      .trim(),
  ]
    .slice(0, reasonLengthMax)
    .join("");
  return words === "" ? null : words;
}

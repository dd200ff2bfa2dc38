// Parses the badge as typed, and finds where in the text a problem is.

import type { Badge } from "@atelier/sdk";
import { badges } from "#strings/badges";
import { isRecord } from "../../api/json-record.ts";

const words = badges.text;

export type ReadText =
  | { readonly badge: Badge; readonly wrong: null }
  | { readonly badge: null; readonly wrong: string };

const isText = (value: unknown): value is string => typeof value === "string";

// A row from a file has its badge in a member; we accept that too.
export function readBadgeText(text: string): ReadText {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (thrown) {
    return refused(words.notJson(thrown instanceof Error ? thrown.message : String(thrown)));
  }
  const badge = isRecord(given) && isRecord(given["badge"]) ? given["badge"] : given;
  if (!isRecord(badge)) return refused(words.notBadge);
  const { engine, depends_on: dependsOn, expr } = badge;
  if (engine !== "jsonata") return refused(words.engine);
  if (!isText(expr) || expr === "") return refused(words.expr);
  if (!isRecord(dependsOn)) return refused(words.dependsOn);
  const { widgets, inputs, input_groups: groups } = dependsOn;
  const isWidget = (each: unknown) => isRecord(each) && isText(each["name"]) && isText(each["type"]);
  if (!Array.isArray(widgets) || !widgets.every(isWidget)) return refused(words.widgets);
  if (!Array.isArray(inputs) || !inputs.every(isText)) return refused(words.inputs);
  if (!Array.isArray(groups) || !groups.every(isText)) return refused(words.groups);
  return { badge: { engine, depends_on: { widgets, inputs, input_groups: groups }, expr }, wrong: null };
}

const refused = (wrong: string): ReadText => ({ badge: null, wrong });

// Maps a position in the expression to the text that contains it as a JSON string.
export function rangeInText(
  text: string,
  position: number,
  token: string | null,
): { readonly from: number; readonly to: number } | null {
  const opening = /"expr"\s*:\s*"/.exec(text);
  if (opening === null) return null;
  const begin = opening.index + opening[0].length;
  // The evaluator reports the position after the token.
  const to = rawOffset(text, begin, position);
  const from = rawOffset(text, begin, Math.max(0, position - Math.max(1, token?.length ?? 1)));
  return to > from ? { from, to } : { from, to: Math.min(text.length, from + 1) };
}

function rawOffset(text: string, begin: number, decoded: number): number {
  let at = begin;
  for (let count = 0; count < decoded && at < text.length && text[at] !== '"'; count++) {
    if (text[at] !== "\\") at++;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

export const badgeText = (badge: Badge): string => `${JSON.stringify(badge, null, 2)}\n`;

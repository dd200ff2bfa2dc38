// Which languages a node can be translated into, and how many. The same rule applies wherever translations are written.
// The table has the same bounds, so a translation that passes here can be stored.
import { limits } from "@atelier/contract";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { pointerSegment } from "../../../foundation/json-pointer.ts";

// `texts` may be anything; the schema rejects values that are not objects. `path` is its position in the body.
export function checkLanguages(texts: unknown, path: string): readonly FieldProblem[] {
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return [];
  const languages = Object.keys(texts);
  if (languages.length > limits.nodeLanguagesMax) return [tooManyLanguages(path)];
  return languages
    .filter((language) => !isLanguage(language))
    .map((language) => ({ path: `${path}/${shown(language)}`, message: "is not a language such as fr or pt-BR" }));
}

export function tooManyLanguages(path: string): FieldProblem {
  return { path, message: `has more than ${limits.nodeLanguagesMax} languages` };
}

function isLanguage(text: string): boolean {
  const isShort = text.length <= limits.nodeLanguageLengthMax;
  return isShort && /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}$/.test(text);
}

// Repeats the caller's text only as far as it helps to find it.
function shown(language: string): string {
  const beginning = language.length > 24 ? `${language.slice(0, 8)}…` : language;
  return pointerSegment(beginning).replaceAll("\0", "\u2400");
}

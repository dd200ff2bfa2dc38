// Checks that a schema cannot express: a NUL character, which PostgreSQL cannot store; a name made of blanks; a link that
// would run code in the reader's browser; translations into something that is not a language.

import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { pointerSegment } from "../../../foundation/json-pointer.ts";
import { addressProblem } from "./address-fields.ts";
import { memberIn } from "./bad-fields.ts";
import { checkLanguages } from "./translated-languages.ts";
export function problemsOfTexts(body: unknown): readonly FieldProblem[] {
  return badTexts(body, "");
}

// A body can carry a node's texts in two ways: as a node, or beside a version being published.
export function problemsOfTranslations(body: unknown): readonly FieldProblem[] {
  return [
    ...checkLanguages(memberIn(body, "translations"), "/translations"),
    ...checkLanguages(memberIn(memberIn(body, "node"), "translations"), "/node/translations"),
  ];
}

function textProblem(path: string, text: string): string | null {
  if (text.includes("\0")) return "contains a NUL character";
  if (!isField(path)) return null;
  if (path.endsWith("/name") && text !== "" && text.trim() === "") return "is blank";
  return addressProblem(path, text);
}

// Rules for single texts apply to fields of the body or of the node in it, never deeper.
function isField(path: string): boolean {
  return path.lastIndexOf("/") === (path.startsWith("/node/") ? "/node".length : 0);
}

const problemsMax = 1000;

function badTexts(value: unknown, path: string, found: FieldProblem[] = []): FieldProblem[] {
  if (found.length >= problemsMax) return found;
  if (typeof value === "string") {
    const message = textProblem(path, value);
    if (message !== null) found.push({ path, message });
  } else if (Array.isArray(value)) {
    // Texts in a list are not fields, so we build their paths only when needed.
    for (const [index, held] of value.entries())
      if (typeof held !== "string" || held.includes("\0")) badTexts(held, `${path}/${index}`, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, held] of Object.entries(value)) {
      if (name.includes("\0")) found.push({ path, message: "has a member whose name contains a NUL character" });
      // Values without text need no path.
      if (typeof held !== "string" && (typeof held !== "object" || held === null)) continue;
      badTexts(held, `${path}/${pointerSegment(name)}`, found);
    }
  }
  return found;
}

// Bodies and texts of the registry. Every bad field is named in one 400, also what a schema cannot say: a NUL character,
// which no database can keep; a name of blanks; an address that runs something in the browser of whoever follows it;
// translations into what is no language.
import type { Static, TSchema } from "typebox";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { pointerSegment } from "../../foundation/json-scan.ts";
import { compileSchema } from "../../foundation/schema.ts";
import { shownPath } from "../../foundation/shown-path.ts";
import { addressProblem } from "./address-fields.ts";
import type { FieldProblem } from "./field-problem.ts";
import { problemsOfLanguages } from "./translated-languages.ts";

// `more` adds what a schema cannot say; it is asked about anything, so that all problems come in one answer.
export async function readRegistryBody<Schema extends TSchema>(
  schema: Schema,
  incoming: Pick<Incoming<unknown>, "json">,
  more: (body: unknown) => readonly FieldProblem[] = () => [],
): Promise<Static<Schema>> {
  const body = await incoming.json();
  const check = compileSchema(schema);
  // Our own words first: they say more than the pattern that a text did not match.
  const found = [...badTexts(body, ""), ...check.violations(body)];
  const named = found.map(({ path, message }) => ({ path: shownPath(path, schema), message }));
  const problems = [...named, ...problemsOfTranslations(body), ...more(body)];
  if (problems.length === 0 && check.accepts(body)) return body;
  throw badFields(problems);
}

export function badFields(problems: readonly FieldProblem[]): Fault {
  const firstOf = new Map<string, FieldProblem>();
  for (const problem of problems) if (!firstOf.has(problem.path)) firstOf.set(problem.path, problem);
  const distinct = [...firstOf.values()];
  const named = distinct.slice(0, 20).map(({ path, message }) => `${path.slice(1) || "the body"} ${message}`);
  const more = distinct.length > named.length ? `; and ${distinct.length - named.length} more` : "";
  return new Fault("invalid_request", `The request is not valid: ${named.join("; ")}${more}.`, {
    details: distinct.slice(0, 100),
  });
}

// Wherever a body can bring a node's texts: as a node, or beside a version that is published.
function problemsOfTranslations(body: unknown): readonly FieldProblem[] {
  return [
    ...problemsOfLanguages(memberIn(body, "translations"), "/translations"),
    ...problemsOfLanguages(memberIn(memberIn(body, "node"), "translations"), "/node/translations"),
  ];
}

function textProblem(path: string, text: string): string | null {
  if (text.includes("\0")) return "holds a NUL character";
  if (!isField(path)) return null;
  if (path.endsWith("/name") && text !== "" && text.trim() === "") return "is blank";
  return addressProblem(path, text);
}

// Rules for single texts are rules for fields of the body or of the node in it, and never for what stands deeper.
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
    // Texts of a list are no fields; their paths are made only where they are needed.
    for (const [index, held] of value.entries())
      if (typeof held !== "string" || held.includes("\0")) badTexts(held, `${path}/${index}`, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, held] of Object.entries(value)) {
      if (name.includes("\0")) found.push({ path, message: "has a member whose name holds a NUL character" });
      badTexts(held, `${path}/${pointerSegment(name)}`, found);
    }
  }
  return found;
}

// The member of a body that may be anything.
export function memberIn(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

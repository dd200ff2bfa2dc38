// Bodies and texts of the registry. Every bad field is named in one 400. A NUL character passes JSON and schemas but no
// database can keep it, so it is a bad field like any other.
import type { Static, TSchema } from "typebox";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { compileSchema } from "../../foundation/schema.ts";
import { shownPath } from "../../foundation/shown-path.ts";

export interface FieldProblem {
  // A JSON pointer into the body.
  readonly path: string;
  readonly message: string;
}

// `more` adds what a schema cannot say; it is asked about anything, so that all problems come in one answer.
export async function readRegistryBody<Schema extends TSchema>(
  schema: Schema,
  incoming: Pick<Incoming<unknown>, "json">,
  more: (body: unknown) => readonly FieldProblem[] = () => [],
): Promise<Static<Schema>> {
  const body = await incoming.json();
  const check = compileSchema(schema);
  const found = [...check.violations(body), ...unstorable(body, "")];
  const named = found.map(({ path, message }) => ({ path: shownPath(path, schema), message }));
  const problems = [...named, ...more(body)];
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

function unstorable(value: unknown, path: string): FieldProblem[] {
  if (typeof value === "string") return value.includes("\0") ? [{ path, message: "holds a NUL character" }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => [
    ...(name.includes("\0") ? [{ path, message: "has a member whose name holds a NUL character" }] : []),
    ...unstorable(held, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  ]);
}

// The member of a body that may be anything.
export function memberIn(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

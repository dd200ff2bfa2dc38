// The one 400 that names every bad field of a body.

import { Fault } from "../../../foundation/fault.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { listProblems } from "../../../foundation/json/schema.ts";
export function badFields(problems: readonly FieldProblem[]): Fault {
  const firstOf = new Map<string, FieldProblem>();
  for (const problem of problems) if (!firstOf.has(problem.path)) firstOf.set(problem.path, problem);
  const distinct = [...firstOf.values()];
  const words = `The request is not valid: ${listProblems(distinct)}.`;
  return new Fault("invalid_request", words, { details: distinct.slice(0, 100) });
}

// Reads a member of a body of unknown shape.
export function memberIn(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

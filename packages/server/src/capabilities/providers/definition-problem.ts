// One problem of a definition: the field as a JSON pointer, and what is wrong with it.
import type { FieldProblem } from "../../foundation/json/schema.ts";

export type DefinitionProblem = FieldProblem;

export function problemText({ path, message }: DefinitionProblem): string {
  return `${path || "the definition"} ${message}`;
}

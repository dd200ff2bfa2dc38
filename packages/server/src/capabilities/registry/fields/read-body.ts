// Reads the bodies of registry requests. One 400 lists every bad field, including problems a schema cannot express.

import type { Static, TSchema } from "typebox";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { shownPath } from "../../../foundation/shown-path.ts";
import { badFields } from "./bad-fields.ts";
import { problemsOfTexts, problemsOfTranslations } from "./body-problems.ts";

// `more` adds checks a schema cannot express. It runs even if the schema fails, so all problems come in one answer.
export async function readBody<Schema extends TSchema>(
  schema: Schema,
  sent: { json(): Promise<unknown> },
  more: (body: unknown) => readonly FieldProblem[] = () => [],
): Promise<Static<Schema>> {
  const body = await sent.json();
  const check = compileSchema(schema);
  // Our own messages go first: they say more than a pattern that did not match.
  const found = [...problemsOfTexts(body), ...check.violations(body)];
  const named = found.map(({ path, message }) => ({ path: shownPath(path, schema), message }));
  const problems = [...named, ...problemsOfTranslations(body), ...more(body)];
  if (problems.length === 0 && check.accepts(body)) return body;
  throw badFields(problems);
}

// A form on its way in and out. On the wire and in the database it is JSON text; inside, integers beyond 2^53 are bigints.
import { WorkForm as WorkFormSchema } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { type JsonDocument, parseJson } from "../../../foundation/json/json-bytes.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { compileSchema, listProblems } from "../../../foundation/json/schema.ts";
import { exactValue } from "./exact-values.ts";
import type { WorkForm } from "./work-form.ts";

// Their paths are JSON pointers in the body that published it: /form/inputs/3/node.
export type FormReading =
  | { readonly ok: true; readonly form: WorkForm }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const shape = compileSchema(WorkFormSchema);

// Never throws.
export function tryReadForm(document: JsonDocument): FormReading {
  const { value } = document;
  if (!shape.accepts(value)) {
    const problems = shape.violations(value).map(({ path, message }) => ({ path: `/form${path}`, message }));
    return { ok: false, problems };
  }
  // The schema has accepted it, and large integers are the only difference.
  return { ok: true, form: exactValue(document) as WorkForm };
}

// Throws validation_failed with the problems as details.
export function readForm(document: JsonDocument): WorkForm {
  const read = tryReadForm(document);
  if (read.ok) return read.form;
  throw formFault(read.problems);
}

export function readFormText(text: string): WorkForm {
  return readForm(parseJson(Buffer.from(text)));
}

export function writeForm(form: WorkForm): string {
  return writeExactJson(form);
}

export function formFault(problems: readonly FieldProblem[]): Fault {
  return new Fault("validation_failed", `The form is not valid: ${listProblems(problems, "")}.`, { details: problems });
}

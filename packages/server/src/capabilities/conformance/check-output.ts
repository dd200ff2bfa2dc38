// Checks that the provider's documented answers match the definition's output schema. Callers write their programs by
// that schema, so a required member that the documented answers lack is a finding. In service, answers are not checked
// against it.

import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { composeStream, isEventStream, type ModelDefinition } from "../providers/index.ts";

interface Answered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function outputProblems({ output_schema: schema, stream }: ModelDefinition, answered: Answered): string[] {
  const isStream = stream !== undefined && isEventStream(answered.headers["content-type"]);
  // A model may also answer with raw audio or pictures; those have no schema.
  const answer = schema && (isStream ? composeStream(stream, answered.body).document : jsonOrUndefined(answered.body));
  if (!schema || answer === undefined) return [];
  return compileSchema(schema)
    .violations(answer)
    .map(({ path, message }) => `the answer does not match /output_schema: ${path || "/"} ${message}`);
}

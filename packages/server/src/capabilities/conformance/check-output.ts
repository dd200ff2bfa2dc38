// Whether what the provider is documented to answer is what the definition says of it. Callers write their programs by
// the output schema, so a member that it demands and that the documented answers do not hold is a finding; in service
// nothing is held against it.

import { compileSchema } from "../../foundation/json/schema.ts";
import type { ModelDefinition } from "../providers/index.ts";

export function outputProblems({ output_schema: schema }: ModelDefinition, body: Buffer): string[] {
  const answer = schema && readJson(body);
  if (!schema || answer === undefined) return [];
  return compileSchema(schema)
    .violations(answer)
    .map(({ path, message }) => `the answer is not what /output_schema says: ${path || "/"} ${message}`);
}

// A model may also answer with sound or pictures as they are; those have no schema.
function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

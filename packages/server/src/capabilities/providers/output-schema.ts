// What is known about a model's answer. It documents the answer for callers and is never enforced: we serve the
// provider's bytes no matter what they hold (decisions, section 3).
import type { ModelDefinition } from "./definition.ts";

type Described = Pick<ModelDefinition, "output_schema" | "output_types">;

export const isJsonType = (type: string): boolean => /^application\/json\b/i.test(type);

export function outputSchemaOf({ output_schema }: Described): Readonly<Record<string, unknown>> {
  return output_schema ?? { type: "object" };
}

// Native outputs such as audio are not JSON.
export function answersJson({ output_types }: Described): boolean {
  return output_types === undefined || output_types.some(isJsonType);
}

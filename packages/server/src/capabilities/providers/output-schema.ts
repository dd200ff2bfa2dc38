// What is known of a model's answer. Documentation for those who call, never a condition: the provider's bytes are the
// answer, whatever they hold (decisions, section 3), so nothing that is served is held against it.
import type { ModelDefinition } from "./definition.ts";

type Described = Pick<ModelDefinition, "output_schema" | "output_types">;

export const isJsonType = (type: string): boolean => /^application\/json\b/i.test(type);

export function outputSchemaOf({ output_schema }: Described): Readonly<Record<string, unknown>> {
  return output_schema ?? { type: "object" };
}

// Native outputs such as sound are no JSON.
export function answersJson({ output_types }: Described): boolean {
  return output_types === undefined || output_types.some(isJsonType);
}

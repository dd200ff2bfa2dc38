// The input a model begins with.
import { membersOf, type Schema } from "./json-schema.ts";

// Required fields, filled from the model's examples, so that the first run is one click away.
export function firstInput(schema: Schema): Readonly<Record<string, unknown>> {
  const given = membersOf(schema, schema).flatMap(({ name, schema: field, isRequired }): [string, unknown][] => {
    const [example] = Array.isArray(field["examples"]) ? field["examples"] : [];
    return isRequired && example !== undefined ? [[name, example]] : [];
  });
  return Object.fromEntries(given);
}

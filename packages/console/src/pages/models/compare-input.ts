// One input for several models: the form has the fields of all of them, the most common first, and each model gets only the
// fields it knows. A model that does not describe its input gets all of them.

import { models as words } from "#strings/models";
import { isRecord } from "../../api/json-record.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { isPermissive, membersOf, resolved, type Schema } from "../../ui/schema-form/json-schema.ts";

export function sharedSchema(schemas: readonly Schema[]): Schema {
  const fields = new Map<string, { schema: Schema; count: number; isRequired: boolean }>();
  for (const given of schemas) {
    const schema = resolved(given, given);
    for (const { name, schema: field, isRequired } of membersOf(schema, given)) {
      const known = fields.get(name);
      fields.set(name, {
        // References only resolve within their own document, so a field that has some is entered as JSON.
        schema: known?.schema ?? (hasReference(field) ? { description: field["description"] } : field),
        count: (known?.count ?? 0) + 1,
        isRequired: isRequired || (known?.isRequired ?? false),
      });
    }
  }
  const ordered = [...fields].sort(([, one], [, other]) => other.count - one.count);
  if (ordered.length === 0) return { type: "object", properties: { prompt: { type: "string" } } };
  return {
    type: "object",
    properties: Object.fromEntries(
      ordered.map(([name, { schema, count }]) => [
        name,
        count === schemas.length ? schema : { ...schema, description: onlySome(schema, count, schemas.length) },
      ]),
    ),
    required: ordered.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
}

function onlySome(schema: Schema, count: number, all: number): string {
  const said = typeof schema["description"] === "string" ? `${schema["description"]} ` : "";
  return `${said}${words.compare.knownBySome(count, all)}`;
}

function hasReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReference);
  return isRecord(value) && ("$ref" in value || Object.values(value).some(hasReference));
}

export function inputFor(given: Schema, input: Input): Input {
  if (isPermissive(given)) return input;
  const known = new Set(membersOf(resolved(given, given), given).map(({ name }) => name));
  return Object.fromEntries(Object.entries(input).filter(([name]) => known.has(name)));
}

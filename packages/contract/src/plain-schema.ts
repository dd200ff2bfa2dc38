// Turns schemas into plain JSON Schema 2020-12: no trace of the library, keywords in one order, and every named entity (a schema
// with a title) defined once under components and referenced everywhere else.
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

const referencePrefix = "#/components/schemas/";

// An order that reads and diffs well: what it is, then what it holds, then its bounds. Other keywords follow by name.
const keywordOrder = [
  "$ref",
  "title",
  "description",
  "deprecated",
  "type",
  "format",
  "const",
  "enum",
  "default",
  "required",
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
];

// The values of these keywords are data, not schemas: a title in there names no entity.
const dataKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
const schemaMaps: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);
// How the library spells a map of anything.
const anyKey = "^.*$";

function rank(keyword: string): number {
  const at = keywordOrder.indexOf(keyword);
  return at === -1 ? keywordOrder.length : at;
}

function byKeyword([left]: [string, unknown], [right]: [string, unknown]): number {
  return rank(left) - rank(right) || (left < right ? -1 : 1);
}

// Not Object.entries, which would type the values as any.
function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function plainJson(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  if (isObject(value)) {
    return Object.fromEntries(
      entriesOf(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, plainJson(member)]),
    );
  }
  throw new Error(`A schema holds something that is no JSON: ${String(value)}`);
}

export interface SchemaComponents {
  // Returns the schema as it appears in the document: a reference if it is a named entity.
  add(schema: object): Json;
  // Every named entity added so far, sorted by name.
  components(): JsonObject;
}

export function schemaComponents(): SchemaComponents {
  const named = new Map<string, Json>();
  // Most operations answer with the same few schemas.
  const added = new Map<object, Json>();

  function keyword(key: string, value: unknown): Json {
    if (dataKeywords.has(key)) return plainJson(value);
    if (schemaMaps.has(key) && isObject(value)) {
      return Object.fromEntries(entriesOf(value).map(([name, schema]) => [name, addAny(schema)]));
    }
    return addAny(value);
  }

  function define(schema: object): JsonObject {
    const entries = entriesOf(schema)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]): [string, unknown] => {
        const only = key === "patternProperties" && isObject(value) ? entriesOf(value) : [];
        const [first] = only;
        return only.length === 1 && first?.[0] === anyKey ? ["additionalProperties", first[1]] : [key, value];
      });
    return Object.fromEntries(entries.sort(byKeyword).map(([key, value]) => [key, keyword(key, value)]));
  }

  function add(schema: object): Json {
    const known = added.get(schema) ?? addNew(schema);
    added.set(schema, known);
    return known;
  }

  function addNew(schema: object): Json {
    const title = "title" in schema ? schema.title : undefined;
    if (typeof title !== "string") return define(schema);
    const defined = define(schema);
    const known = named.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(defined)) {
      throw new Error(`Two different entities are named ${title}`);
    }
    named.set(title, defined);
    return { $ref: `${referencePrefix}${title}` };
  }

  function addAny(value: unknown): Json {
    if (Array.isArray(value)) return value.map(addAny);
    return isObject(value) ? add(value) : plainJson(value);
  }

  return {
    add,
    components: () => Object.fromEntries([...named].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

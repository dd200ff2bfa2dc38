// Whether a newer schema took something away. In requests, everything accepted before must still be accepted. In answers,
// everything promised before must still be promised. New optional members, enum values and variants are growth.
import type { Json, JsonObject } from "../../src/plain-schema.ts";

export type Direction = "request" | "answer";

export interface SchemaPair {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export interface Documents {
  readonly before: Json;
  readonly after: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function words(value: Json | undefined): string[] {
  return isJsonList(value) ? value.filter((word) => typeof word === "string") : [];
}

export function resolve(document: Json, value: Json | undefined): Json | undefined {
  const reference = memberOf(value, "$ref");
  if (typeof reference !== "string") return value;
  return reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<Json | undefined>((at, key) => memberOf(at, key.replaceAll("~1", "/").replaceAll("~0", "~")), document);
}

const numericBounds = [
  ["minimum", "raised", (before: number, after: number) => after > before],
  ["exclusiveMinimum", "raised", (before: number, after: number) => after > before],
  ["minLength", "raised", (before: number, after: number) => after > before],
  ["minItems", "raised", (before: number, after: number) => after > before],
  ["minProperties", "raised", (before: number, after: number) => after > before],
  ["maximum", "lowered", (before: number, after: number) => after < before],
  ["exclusiveMaximum", "lowered", (before: number, after: number) => after < before],
  ["maxLength", "lowered", (before: number, after: number) => after < before],
  ["maxItems", "lowered", (before: number, after: number) => after < before],
  ["maxProperties", "lowered", (before: number, after: number) => after < before],
] as const;

function typesOf(schema: Json | undefined): string[] {
  const type = memberOf(schema, "type");
  return typeof type === "string" ? [type] : words(type);
}

// A closed set written as enum or const. Null if the set is open.
function closedSet(schema: Json | undefined): readonly Json[] | null {
  const listed = memberOf(schema, "enum");
  if (isJsonList(listed)) return listed;
  const constant = memberOf(schema, "const");
  return constant === undefined ? null : [constant];
}

function variantsOf(document: Json, schema: Json | undefined): (Json | undefined)[] {
  const listed = memberOf(schema, "anyOf") ?? memberOf(schema, "oneOf");
  // A union has no other keywords. An anyOf beside a type is one more condition on a single value.
  if (!isJsonList(listed) || memberOf(schema, "type") !== undefined) return [schema];
  return listed.flatMap((variant) => variantsOf(document, resolve(document, variant)));
}

// One comparison of two documents. `seen` stops the walk at schemas that refer to themselves.
export class SchemaComparison {
  readonly #documents: Documents;
  readonly #seen = new Set<string>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  compare(pair: SchemaPair, where: string, direction: Direction): string[] {
    const references = [memberOf(pair.before, "$ref"), memberOf(pair.after, "$ref")];
    if (references.every((reference) => typeof reference === "string")) {
      const step = `${direction} ${references.join(" ")} ${where}`;
      if (this.#seen.has(step) || where.length > 2_000) return [];
      this.#seen.add(step);
    }
    const before = resolve(this.#documents.before, pair.before);
    const after = resolve(this.#documents.after, pair.after);
    if (before === undefined || after === undefined) {
      if (before === undefined && after === undefined) return [];
      if (before === undefined) return direction === "request" ? [`${where} has a schema now and had none`] : [];
      return direction === "answer" ? [`${where} lost its schema`] : [];
    }
    const variantsBefore = variantsOf(this.#documents.before, before);
    const variantsAfter = variantsOf(this.#documents.after, after);
    if (variantsBefore.length === 1 && variantsAfter.length === 1) {
      return this.#single({ before: variantsBefore[0], after: variantsAfter[0] }, where, direction);
    }
    return this.#union(variantsBefore, variantsAfter, where, direction);
  }

  #union(before: (Json | undefined)[], after: (Json | undefined)[], where: string, direction: Direction): string[] {
    const found = before.flatMap((variant, at) => {
      const survives = after.some((candidate) => {
        const fresh = new SchemaComparison(this.#documents);
        return fresh.#single({ before: variant, after: candidate }, where, direction).length === 0;
      });
      const name = memberOf(variant, "title") ?? memberOf(variant, "type") ?? at + 1;
      return survives ? [] : [`${where} lost or narrowed its variant ${String(name)}`];
    });
    if (direction === "request") return found;
    const known = new Set(before.flatMap(typesOf));
    const fresh = [...new Set(after.flatMap(typesOf))].filter((type) => known.size > 0 && !known.has(type));
    return [...found, ...fresh.map((type) => `${where} can be ${type} now and could not before`)];
  }

  #single({ before, after }: SchemaPair, where: string, direction: Direction): string[] {
    const typeChange = typesChanged(typesOf(before), typesOf(after), where, direction);
    if (typeChange.length > 0) return typeChange;
    return [
      ...setShrunk(closedSet(before), closedSet(after), where, direction),
      ...(direction === "request" ? boundsNarrowed(before, after, where) : formatLost(before, after, where)),
      ...this.#properties({ before, after }, where, direction),
      ...this.#nested({ before, after }, where, direction),
    ];
  }

  #properties({ before, after }: SchemaPair, where: string, direction: Direction): string[] {
    const had = memberOf(before, "properties");
    const has = memberOf(after, "properties");
    const requiredBefore = new Set(words(memberOf(before, "required")));
    const requiredAfter = new Set(words(memberOf(after, "required")));
    const found: string[] = [];
    for (const name of isJsonObject(had) ? Object.keys(had) : []) {
      const pair = { before: memberOf(had, name), after: memberOf(has, name) };
      if (pair.after === undefined) found.push(`${where}.${name} was removed`);
      else found.push(...this.compare(pair, `${where}.${name}`, direction));
    }
    if (direction === "request") {
      for (const name of requiredAfter) {
        if (!requiredBefore.has(name)) found.push(`${where}.${name} is required now`);
      }
    } else {
      for (const name of requiredBefore) {
        if (!requiredAfter.has(name) && memberOf(has, name) !== undefined)
          found.push(`${where}.${name} is no longer always there`);
      }
    }
    return found;
  }

  #nested({ before, after }: SchemaPair, where: string, direction: Direction): string[] {
    const items = this.compare(
      { before: memberOf(before, "items"), after: memberOf(after, "items") },
      `${where}[]`,
      direction,
    );
    const mapBefore = memberOf(before, "additionalProperties");
    const mapAfter = memberOf(after, "additionalProperties");
    if (direction === "request" && mapAfter === false && mapBefore !== false) {
      return [...items, `${where} refuses unknown members now`];
    }
    if (!isJsonObject(mapBefore) && !isJsonObject(mapAfter)) return items;
    const pair = {
      before: isJsonObject(mapBefore) ? mapBefore : undefined,
      after: isJsonObject(mapAfter) ? mapAfter : undefined,
    };
    return [...items, ...this.compare(pair, `${where}.*`, direction)];
  }
}

function typesChanged(before: string[], after: string[], where: string, direction: Direction): string[] {
  // An integer is also a number: requests may widen to it, answers may narrow from it.
  const covers = (wide: string[], type: string) =>
    wide.length === 0 || wide.includes(type) || (type === "integer" && wide.includes("number"));
  const [from, into] = direction === "request" ? [before, after] : [after, before];
  const uncovered = from.length === 0 ? into.length > 0 : from.some((type) => !covers(into, type));
  const named = (types: string[]) => (types.length === 0 ? "anything" : types.join(" or "));
  return uncovered ? [`${where} changed its type from ${named(before)} to ${named(after)}`] : [];
}

function setShrunk(
  before: readonly Json[] | null,
  after: readonly Json[] | null,
  where: string,
  direction: Direction,
): string[] {
  const texts = (values: readonly Json[]) => values.map((value) => JSON.stringify(value));
  if (before === null) {
    return after !== null && direction === "request" ? [`${where} takes only ${texts(after).join(", ")} now`] : [];
  }
  if (after === null) return direction === "answer" ? [`${where} is no longer a closed set`] : [];
  const kept = new Set(texts(after));
  return texts(before)
    .filter((value) => !kept.has(value))
    .map((value) => `${where} lost the value ${value}`);
}

function boundsNarrowed(before: Json | undefined, after: Json | undefined, where: string): string[] {
  const found: string[] = [];
  for (const [keyword, how, narrower] of numericBounds) {
    const was = memberOf(before, keyword);
    const is = memberOf(after, keyword);
    if (typeof is !== "number") continue;
    if (typeof was !== "number") found.push(`${where} has a ${keyword} of ${is} now`);
    else if (narrower(was, is)) found.push(`${where} had its ${keyword} ${how} from ${was} to ${is}`);
  }
  for (const keyword of ["pattern", "format", "multipleOf", "uniqueItems", "not", "anyOf", "allOf"]) {
    const was = memberOf(before, keyword);
    const is = memberOf(after, keyword);
    if (is !== undefined && JSON.stringify(was) !== JSON.stringify(is)) {
      found.push(was === undefined ? `${where} has a new ${keyword}` : `${where} changed its ${keyword}`);
    }
  }
  return found;
}

function formatLost(before: Json | undefined, after: Json | undefined, where: string): string[] {
  const was = memberOf(before, "format");
  const is = memberOf(after, "format");
  return was !== undefined && is !== was ? [`${where} is no longer in the format ${String(was)}`] : [];
}

// Input generated from an operation's own schemas: mostly valid, often at a limit, sometimes mutated.
import type { Operation } from "@atelier/contract";
import fc from "fast-check";

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const uuid = "00000000-0000-7000-8000-000000000000";
const oddTexts = [
  "",
  " ",
  "\0",
  "\u{feff}",
  "null",
  "__proto__",
  "constructor",
  "../..",
  "'; drop table x; --",
  "<script>",
  "%00",
  "😀",
  "é".normalize("NFD"),
  "\u202e",
  "-1",
  "1e999",
  "x".repeat(300),
];
const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.toWellFormed()),
);
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e300, [], {}, [[[[]]]]),
  fc.jsonValue({ maxDepth: 2 }),
);

const mutated = (value: fc.Arbitrary<unknown>, weight = 10): fc.Arbitrary<unknown> =>
  fc.oneof({ weight, arbitrary: value }, { weight: 1, arbitrary: oddValue });

// A value that the schema accepts, or almost accepts.
function valueLike(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return mutated(fc.constant(schema.const));
  if (schema.enum) return mutated(fc.constantFrom(...schema.enum));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueLike));
  if (schema.properties) return objectOf(schema);
  if (schema.type === "array") {
    const items = fc.array(valueLike(schema.items ?? {}), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 3, 3),
    });
    return mutated(items);
  }
  if (schema.type === "string") return mutated(stringOf(schema));
  if (schema.type === "integer" || schema.type === "number") return mutated(numberOf(schema));
  if (schema.type === "boolean") return mutated(fc.boolean());
  return schema.type === "null" ? fc.constant(null) : oddValue;
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const whole = fc.record(Object.fromEntries(properties.map(([name, part]) => [name, valueLike(part)])), {
    requiredKeys: schema.required ? [...schema.required] : [],
  });
  const extended = fc
    .tuple(whole, fc.dictionary(fc.constantFrom("extra", "__proto__", "toString", ""), oddValue, { maxKeys: 2 }))
    .map(([value, more]) => ({ ...value, ...more }));
  const lacking = fc
    .tuple(whole, fc.nat())
    .map(([value, at]) =>
      Object.fromEntries(Object.entries(value).filter((_, index, all) => index !== at % Math.max(1, all.length))),
    );
  return mutated(
    fc.oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: extended }, { weight: 1, arbitrary: lacking }),
    20,
  );
}

function stringOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === "uuid") return fc.constantFrom(uuid, uuid.toUpperCase(), uuid.slice(1), `${uuid} `);
  if (schema.format === "date-time")
    return fc.constantFrom(
      "2027-01-31T12:00:00.000Z",
      "2027-02-30T12:00:00Z",
      "2027-01-01T00:00:00+01:00",
      "0000-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      "2027-01-01",
    );
  if (schema.pattern?.includes("\\."))
    return fc.tuple(fc.nat(3), fc.nat(9), fc.nat(9)).map((numbers) => numbers.join("."));
  const most = schema.maxLength ?? 40;
  const bounds = [schema.minLength ?? 1, most, most + 1]
    .filter((length) => length <= 5_000)
    .map((length) => "x".repeat(length));
  return fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z][ -~]{0,20}$/) },
    { weight: 1, arbitrary: fc.constantFrom(...bounds) },
    { weight: 1, arbitrary: oddText },
  );
}

function numberOf({ minimum = -5, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: minimum, max: minimum + 1000 }),
    fc.constantFrom(minimum, minimum - 1, maximum, maximum + 1, 0.5),
  );
}

export function bodyText(operation: Operation): fc.Arbitrary<string | null> {
  const shape = operation.body;
  if (!shape)
    return fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom("{}", "x") });
  const values = valueLike(shape.schema);
  if (shape.contentType !== "application/json") {
    return values.map((value) =>
      new URLSearchParams(Object.entries(Object(value)).map(([name, part]) => [name, String(part)])).toString(),
    );
  }
  return fc.oneof(
    { weight: 16, arbitrary: values.map((value) => JSON.stringify(value) ?? "") },
    { weight: 2, arbitrary: fc.tuple(values, fc.nat()).map(([value, at]) => cut(JSON.stringify(value) ?? "", at)) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenJson) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.toWellFormed()) },
  );
}

const brokenJson = [
  "",
  "[]",
  "null",
  '"text"',
  "{",
  '{"name":"a","name":"b"}',
  '{"name":"\\ud800"}',
  '{"name":1e999}',
  `${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
  `${"[".repeat(5_000)}`,
  '\u{feff}{"name":"a"}',
  '{"name":"\u0000"}',
  '{"value":12345678901234567890}',
];

// Removes or doubles one character.
function cut(text: string, at: number): string {
  const position = at % Math.max(1, text.length);
  return at % 2 === 0
    ? text.slice(0, position) + text.slice(position + 1)
    : text.slice(0, position) + text.slice(position - 1);
}

export function pathText(operation: Operation, ids: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const locations = names.map((name) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...(ids[name] ?? []), uuid) },
      { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text)) },
      { weight: 1, arbitrary: fc.constantFrom("%zz", "%ff%fe", "..", "%2e%2e%2f", "%2F", "a;b", "%00", "~") },
    ),
  );
  return fc
    .tuple(...locations)
    .map((values) => operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[names.indexOf(name)] ?? ""));
}

export function queryText(operation: Operation): fc.Arbitrary<string> {
  const properties: Readonly<Record<string, Schema>> = operation.query?.properties ?? {};
  const known = Object.entries(properties).map(([name, schema]) =>
    valueLike(schema).map(
      (value) => [name, typeof value === "string" ? value : String(JSON.stringify(value))] as const,
    ),
  );
  const parts = fc.oneof(...known, fc.tuple(fc.constantFrom("extra", "__proto__", ""), oddText));
  const isQueried = known.length > 0;
  const list = fc.array(parts, { maxLength: isQueried ? 4 : 1 });
  const encoded = list.map((pairs) =>
    pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join("&"),
  );
  const whole = fc
    .tuple(...known)
    .map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join("&"));
  return fc.oneof(
    { weight: 3, arbitrary: encoded },
    { weight: 2, arbitrary: whole },
    { weight: 1, arbitrary: fc.constantFrom("", "%zz", "&&=", "a=%ff", "=") },
  );
}

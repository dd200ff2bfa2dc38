// Two independent judges for every schema: the validator the server uses, and Ajv in its 2020-12 dialect.
// They must agree; a schema on which they differ would mean different things to different clients.
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import Schema from "typebox/schema";

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  uri: (text: string) => URL.canParse(text),
  "uri-reference": (text: string) => URL.canParse(text, "http://host.invalid"),
  int64: true,
  binary: true,
} as const;

export function strictAjv() {
  return new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: false, formats });
}

// Compiled once per schema object; compiling costs far more than judging.
const ajv = strictAjv();
const judges = new WeakMap<object, (value: unknown) => boolean>();

function judgeOf(schema: object): (value: unknown) => boolean {
  const known = judges.get(schema);
  if (known) return known;
  const ours = Schema.Compile(schema);
  // Through JSON, because that is how other validators see the schema.
  const theirs = ajv.compile(JSON.parse(JSON.stringify(schema)));
  const judge = (value: unknown) => {
    const verdict = ours.Check(value);
    const shown = JSON.stringify(value)?.slice(0, 400);
    assert.equal(verdict, theirs(value), `the two validators differ on ${shown}`);
    return verdict;
  };
  judges.set(schema, judge);
  return judge;
}

export function isAccepted(schema: object, value: unknown): boolean {
  return judgeOf(schema)(value);
}

// The value with one member changed; `undefined` removes it. Paths are written a.b.0.c
export function changed(value: unknown, path: string, to: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const keys = path.split(".");
  const last = keys.pop();
  assert.ok(last !== undefined);
  const parent = keys.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), copy);
  assert.ok(isRecord(parent), `there is no ${path}`);
  if (to === undefined) {
    assert.ok(Object.hasOwn(parent, last), `there is no ${path}`);
    delete parent[last];
  } else parent[last] = to;
  return copy;
}

// Arrays count: their positions are keys too.
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

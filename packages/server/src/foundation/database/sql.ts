// The `sql` tag: values always travel as parameters and never become text. A Statement among the values is inlined as a
// fragment, with its parameters renumbered. PostgreSQL keeps the prepared statement under a hash of its text, computed once per
// call site, so the hot path neither joins strings nor hashes.
import { createHash } from "node:crypto";
import { BoundedMap } from "@atelier/engine/bounded-map";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
}

interface Parts {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

interface Compiled {
  readonly text: string;
  readonly name: string;
}

// What each Statement was made of, so that it can be renumbered inside another one. Only our own statements are in here: a
// caller's object that merely looks like a Statement is treated as a value.
const partsOf = new WeakMap<object, Parts>();
const compiledAt = new WeakMap<TemplateStringsArray, Compiled>();
const statementNames = new BoundedMap<string, string>(4096);

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  return values.some(isFragment) ? fromParts(flatten({ strings, values })) : plain(strings, values);
}

// A long statement kept in a constant, away from the function that runs it. Each value is a function of an argument given
// later. It runs as it is and cannot be used as a fragment, so we need not remember its parts.
export function preparedSql<Given>(
  strings: TemplateStringsArray,
  ...values: readonly PreparedValue<Given>[]
): (given: Given) => Statement {
  const part = preparedPart(strings, ...values);
  const text = numbered(part.strings);
  const name = nameFor(text);
  return (given) => ({ text, name, values: part.values.map((value) => value(given)) });
}

type PreparedValue<Given> = ((given: Given) => unknown) | PreparedPart<Given>;

// A part shared by several prepared statements.
export interface PreparedPart<Given> {
  readonly strings: readonly string[];
  readonly values: readonly ((given: Given) => unknown)[];
}

export function preparedPart<Given>(
  strings: TemplateStringsArray,
  ...values: readonly PreparedValue<Given>[]
): PreparedPart<Given> {
  const joined: string[] = [strings[0] ?? ""];
  const functions: ((given: Given) => unknown)[] = [];
  for (const [index, value] of values.entries()) {
    const following = strings[index + 1] ?? "";
    if (typeof value === "function") {
      functions.push(value);
      joined.push(following);
    } else {
      append(joined, functions, value);
      joined[joined.length - 1] += following;
    }
  }
  return { strings: joined, values: functions };
}

// Joins fragments: joinSql(conditions, sql` and `).
export function joinSql(fragments: readonly Statement[], separator: Statement): Statement {
  const strings: string[] = [""];
  const values: unknown[] = [];
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) append(strings, values, partsFor(separator));
    append(strings, values, partsFor(fragment));
  }
  return fromParts({ strings, values });
}

// Quotes a table or column name that is only known at run time.
export function identifier(name: string): Statement {
  if (name.includes("\0")) throw new Error("A name in SQL cannot contain a NUL character.");
  return fromParts({ strings: [`"${name.replaceAll('"', '""')}"`], values: [] });
}

// The text of one of our own files (a migration), unchanged.
export function sqlText(text: string): Statement {
  return fromParts({ strings: [text], values: [] });
}

function isFragment(value: unknown): value is Statement {
  return typeof value === "object" && value !== null && partsOf.has(value);
}

function plain(strings: TemplateStringsArray, values: readonly unknown[]): Statement {
  let compiled = compiledAt.get(strings);
  if (!compiled) {
    const text = numbered(strings);
    compiled = { text, name: nameFor(text) };
    compiledAt.set(strings, compiled);
  }
  return remember({ text: compiled.text, values, name: compiled.name }, { strings, values });
}

function fromParts(parts: Parts): Statement {
  const text = numbered(parts.strings);
  return remember({ text, values: parts.values, name: nameFor(text) }, parts);
}

function remember(statement: Statement, parts: Parts): Statement {
  partsOf.set(statement, parts);
  return statement;
}

function partsFor(fragment: Statement): Parts {
  const parts = partsOf.get(fragment);
  if (!parts) throw new Error("Only statements made by the sql tag can be fragments.");
  return flatten(parts);
}

function flatten(parts: Parts): Parts {
  const strings: string[] = [parts.strings[0] ?? ""];
  const values: unknown[] = [];
  for (const [index, value] of parts.values.entries()) {
    const following = parts.strings[index + 1] ?? "";
    if (isFragment(value)) {
      append(strings, values, partsFor(value));
      strings[strings.length - 1] += following;
    } else {
      values.push(value);
      strings.push(following);
    }
  }
  return { strings, values };
}

function append<Value>(
  strings: string[],
  values: Value[],
  parts: { readonly strings: readonly string[]; readonly values: readonly Value[] },
): void {
  strings[strings.length - 1] += parts.strings[0] ?? "";
  strings.push(...parts.strings.slice(1));
  values.push(...parts.values);
}

function numbered(strings: readonly string[]): string {
  let text = strings[0] ?? "";
  for (let index = 1; index < strings.length; index++) text += `$${index}${strings[index]}`;
  return text;
}

// Statements built from fragments produce the same few texts again and again, but the cache is bounded anyway.
function nameFor(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `s${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
    statementNames.set(text, name);
  }
  return name;
}

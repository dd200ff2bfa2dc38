// The Python client's wire types, generated from the contract like the TypeScript SDK's: a TypedDict for each named entity, an
// alias for each other shape. They work on Python 3.9, which knows no NotRequired: type checkers do, and nothing else asks.

import type { Schema } from "./schema-types.ts";
import { sdkSchemas, sdkTypeNames } from "./sdk-types.ts";

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

export function pythonTypes(): string {
  const classes: string[] = [];
  const aliases = new Map<string, string>();
  const taken = new Set(sdkTypeNames);
  for (const name of sdkTypeNames) {
    const schema = sdkSchemas[name] ?? {};
    if (isClass(schema)) classes.push(...classOf(name, schema, taken));
    else {
      const made: string[] = [];
      aliases.set(name, `${commentOf(schema)}${name} = ${typeOf(schema, name, taken, made)}`);
      classes.push(...made);
    }
  }
  return `${[heading, ...classes, ...inOrder(aliases)].join("\n\n\n")}\n`;
}

const heading = `"""What the server sends and accepts. Generated from the contract by \`npm run openapi\`; a test compares them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired`;

const propertiesOf = (schema: Schema): [string, Schema][] => {
  const { properties } = schema;
  return typeof properties === "object" && properties !== null ? Object.entries(properties) : [];
};

const isClass = (schema: Schema) => schema["type"] === "object" && propertiesOf(schema).length > 0;

// The class, after those of the nameless objects in it, which get a name from where they are.
function classOf(name: string, schema: Schema, taken: Set<string>): string[] {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const within: string[] = [];
  const members = propertiesOf(schema).map(([member, each]) => {
    const type = typeOf(each, `${name}${pascal(member)}`, taken, within);
    return { member, type: required.has(member) ? type : `NotRequired[${type}]`, about: textOf(each) };
  });
  const about = textOf(schema);
  // A member that is a keyword, such as from, cannot be written as one of a class.
  if (members.some(({ member }) => keywords.has(member) || !/^[A-Za-z_]\w*$/.test(member))) {
    const lines = members.map(({ member, type }) => `        "${member}": ${JSON.stringify(type)},\n`);
    return [
      ...within,
      `${about && `# ${about}\n`}${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("")}    },\n)`,
    ];
  }
  const lines = members.map(
    (each) => `    ${each.member}: ${each.type}\n${each.about && `    ${quoted(each.about)}\n`}`,
  );
  return [...within, `class ${name}(TypedDict):\n${about && `    ${quoted(about)}\n\n`}${lines.join("")}`.trimEnd()];
}

function typeOf(schema: Schema, name: string, taken: Set<string>, made: string[]): string {
  const reference = schema["$ref"];
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  if ("const" in schema) return literal([schema["const"]]);
  if (Array.isArray(schema["enum"])) return literal(schema["enum"]);
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema[keyword];
    if (Array.isArray(choices) && !isClass(schema))
      return union(choices.map((each: Schema, at) => typeOf(each, `${name}${at === 0 ? "" : at + 1}`, taken, made)));
  }
  const type = schema["type"];
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each }, name, taken, made)));
  if (type === "array") return `Sequence[${typeOf(asSchema(schema["items"]), `${name}Item`, taken, made)}]`;
  if (isClass(schema)) {
    const own = freshName(name, taken);
    made.push(...classOf(own, schema, taken));
    return own;
  }
  if (type === "object") return `Mapping[str, ${typeOf(valuesOf(schema), `${name}Value`, taken, made)}]`;
  return simple[String(type)] ?? "Any";
}

const simple: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

function valuesOf(schema: Schema): Schema {
  const patterns = schema["patternProperties"];
  if (typeof patterns === "object" && patterns !== null) return asSchema(Object.values(patterns)[0]);
  return asSchema(schema["additionalProperties"]);
}

// A Literal takes no fractions.
function literal(values: readonly unknown[]): string {
  if (values.some((value) => typeof value === "number" && !Number.isInteger(value))) return "float";
  const written = values.map((value) =>
    value === null ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value),
  );
  return written.every((value) => value === "None") ? "None" : `Literal[${written.join(", ")}]`;
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.includes("Any")) return "Any";
  return different.length === 1 ? (different[0] ?? "Any") : `Union[${different.join(", ")}]`;
}

function freshName(name: string, taken: Set<string>): string {
  let fresh = name;
  for (let at = 2; taken.has(fresh); at++) fresh = `${name}${at}`;
  taken.add(fresh);
  return fresh;
}

// An alias is worked out when the module is loaded, so what it names comes first.
function inOrder(aliases: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  const texts: string[] = [];
  const add = (name: string, above: readonly string[]) => {
    const text = aliases.get(name);
    if (text === undefined || done.has(name)) return;
    if (above.includes(name)) throw new Error(`${name} refers to itself: ${above.join(", ")}`);
    for (const [word] of text.matchAll(/\b[A-Z]\w+\b/g)) if (word !== name) add(word, [...above, name]);
    done.add(name);
    texts.push(text);
  };
  for (const name of aliases.keys()) add(name, []);
  return texts;
}

const asSchema = (value: unknown): Schema => (typeof value === "object" && value !== null ? { ...value } : {});
const pascal = (text: string) =>
  text
    .split(/[^A-Za-z0-9]+|_/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
const textOf = (schema: Schema) =>
  typeof schema["description"] === "string" ? schema["description"].replaceAll(/\s+/g, " ").trim() : "";
const commentOf = (schema: Schema) => {
  const text = textOf(schema);
  return text === "" ? "" : `# ${text}\n`;
};
const quoted = (text: string) => `"""${text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/"$/, '\\"')}"""`;

// What a form needs to know about a JSON Schema: which kind of field to use. Anything we do not understand becomes a JSON field,
// never a guess: everything a schema allows can be entered there.
import { uiForms } from "#strings/ui/forms";
import { isRecord } from "../../api/json-record.ts";
import type { Schema } from "../../api/json-schema.ts";
import { namesInPointer } from "./json-pointer.ts";

export type { Schema } from "../../api/json-schema.ts";
export type Path = readonly (string | number)[];

export interface Alternative {
  readonly label: string;
  readonly schema: Schema;
}

interface Bounds {
  readonly least: number | null;
  readonly most: number | null;
  readonly step: number | null;
}

export type FieldKind =
  | { readonly kind: "text"; readonly isLong: boolean; readonly maxLength: number | null }
  | {
      readonly kind: "file";
      readonly media: "image" | "video" | "audio" | "file";
      readonly isBase64: boolean;
      // Takes the id of an asset.
      readonly isAsset: boolean;
    }
  | { readonly kind: "color" }
  | ({ readonly kind: "integer"; readonly isSeed: boolean } & Bounds)
  | ({ readonly kind: "number" } & Bounds)
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly values: readonly unknown[] }
  | { readonly kind: "list"; readonly items: Schema; readonly most: number | null }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "alternatives"; readonly of: readonly Alternative[] }
  | { readonly kind: "json" };

export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

// Deeper than people fill in by hand.
const depthMax = 6;

export function fieldKind(given: Schema, root: Schema, name = "", depth = 0): FieldKind {
  const { schema } = withoutNull(resolved(given, root), root);
  if (depth > depthMax) return { kind: "json" };
  if (Array.isArray(schema["enum"])) return { kind: "choice", values: schema["enum"].filter((each) => each !== null) };
  if ("const" in schema) return { kind: "choice", values: [schema["const"]] };
  const among = alternativesIn(schema, root);
  if (among !== null) return among;
  switch (schema["type"]) {
    case "string":
      return textKind(schema, name);
    case "integer":
      return { kind: "integer", isSeed: isSeed(name, schema), ...bounds(schema) };
    case "number":
      return { kind: "number", ...bounds(schema) };
    case "boolean":
      return { kind: "boolean" };
    case "array": {
      const { items } = schema;
      if (!isRecord(items)) return { kind: "json" };
      return { kind: "list", items, most: numberIn(schema["maxItems"]) };
    }
    case "object":
    case undefined: {
      const members = membersOf(schema, root);
      return members.length === 0 ? { kind: "json" } : { kind: "object", members };
    }
    default:
      return { kind: "json" };
  }
}

// Resolves references and merges allOf.
export function resolved(given: Schema, root: Schema, hops = 0): Schema {
  const { $ref: reference, ...own } = given;
  if (typeof reference === "string" && reference.startsWith("#") && hops < 16) {
    const target = at(root, reference);
    return target === null ? own : resolved({ ...target, ...own }, root, hops + 1);
  }
  const { allOf, ...rest } = given;
  if (!Array.isArray(allOf) || hops >= 16) return given;
  let together: Schema = rest;
  for (const part of allOf) {
    if (!isRecord(part)) continue;
    const each = resolved(part, root, hops + 1);
    together = {
      ...each,
      ...together,
      ...(each["properties"] || together["properties"]
        ? { properties: { ...(each["properties"] as object), ...(together["properties"] as object) } }
        : {}),
      required: [...listIn(together["required"]), ...listIn(each["required"])],
    };
  }
  return together;
}

function at(root: Schema, reference: string): Schema | null {
  let here: unknown = root;
  for (const name of namesInPointer(reference)) {
    here = isRecord(here) ? here[name] : undefined;
  }
  return isRecord(here) ? here : null;
}

// A nullable field is an optional field: left empty it is omitted, and null is sent only from JSON.
export function withoutNull(schema: Schema, root: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const rest = type.filter((each) => each !== "null");
    return { schema: { ...schema, type: rest.length === 1 ? rest[0] : rest }, isNullable: true };
  }
  for (const word of ["anyOf", "oneOf"] as const) {
    const list = schema[word];
    if (!Array.isArray(list)) continue;
    const rest = list.filter((each) => isRecord(each) && resolved(each, root)["type"] !== "null").filter(isRecord);
    if (rest.length === list.length) continue;
    const { [word]: _left, ...own } = schema;
    const [only] = rest;
    const next = rest.length === 1 && only ? { ...resolved(only, root), ...own } : { ...own, [word]: rest };
    return { schema: next, isNullable: true };
  }
  return { schema, isNullable: schema["nullable"] === true };
}

function alternativesIn(schema: Schema, root: Schema): FieldKind | null {
  const list = [schema["oneOf"], schema["anyOf"]].find(Array.isArray);
  if (list === undefined) return typesAsAlternatives(schema);
  const parts = list.filter(isRecord).map((part) => resolved(part, root));
  if (parts.length === 0) return null;
  // Only rules about which members go together; the members themselves are listed separately.
  if (isRecord(schema["properties"]) && parts.every((part) => !("type" in part) && !("enum" in part))) return null;
  if (parts.every((part) => "const" in part)) return { kind: "choice", values: parts.map((part) => part["const"]) };
  return { kind: "alternatives", of: parts.map((part, index) => ({ schema: part, label: labelOf(part, index) })) };
}

function typesAsAlternatives(schema: Schema): FieldKind | null {
  const { type } = schema;
  if (!Array.isArray(type)) return null;
  return {
    kind: "alternatives",
    of: type.map((each, index) => ({ schema: { ...schema, type: each }, label: labelOf({ type: each }, index) })),
  };
}

const typeWords: Readonly<Record<string, string>> = uiForms.types;

function labelOf(schema: Schema, index: number): string {
  if (typeof schema["title"] === "string") return schema["title"];
  if (Array.isArray(schema["enum"])) return uiForms.oneOfList;
  const word = typeWords[String(schema["type"])];
  if (word !== undefined) return word;
  const names = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return names.length > 0 ? names.slice(0, 3).join(", ") : uiForms.variant(index + 1);
}

export function membersOf(schema: Schema, root: Schema): Member[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(listIn(schema["required"]));
  const members = Object.entries(properties).flatMap(([name, each]): Member[] =>
    each === false
      ? []
      : [{ name, schema: isRecord(each) ? resolved(each, root) : {}, isRequired: required.has(name) }],
  );
  if (isAuthored(members)) return members;
  // Required members first; the rest keeps the author's order.
  return [...members.filter(({ isRequired }) => isRequired), ...members.filter(({ isRequired }) => !isRequired)];
}

// The form of a work: its author chose every field, their order and their groups.
export const isAuthored = (members: readonly Member[]): boolean =>
  members.some(({ schema }) => "x-atelier-kind" in schema);

export interface FieldGroup {
  // Null for fields outside any group.
  readonly label: string | null;
  readonly members: readonly Member[];
}

// Fields of one group are shown together, where the first of them is. The rest are settings that every work has.
export function groupsOf(members: readonly Member[]): {
  readonly groups: readonly FieldGroup[];
  readonly rest: readonly Member[];
} {
  const groups: { label: string | null; members: Member[] }[] = [];
  for (const member of members.filter(({ schema }) => "x-atelier-kind" in schema)) {
    const said = member.schema["x-atelier-group"];
    const label = typeof said === "string" ? said : null;
    const known = label === null ? groups.at(-1) : groups.find((group) => group.label === label);
    if (known !== undefined && known.label === label) known.members.push(member);
    else groups.push({ label, members: [member] });
  }
  return { groups, rest: members.filter(({ schema }) => !("x-atelier-kind" in schema)) };
}

// A work's author says whether a number is random; other schemas only have its name.
function isSeed(name: string, schema: Schema): boolean {
  return "x-atelier-kind" in schema ? schema["x-atelier-random"] === true : /(^|_)seed$/i.test(name);
}

const assetMedia: Readonly<Record<string, "image" | "video" | "audio" | "file">> = {
  picture: "image",
  mask: "image",
  film: "video",
  sound: "audio",
  file: "file",
};

const longNames = /(prompt|text|description|instructions?|message|lyrics|content|system|caption)$/i;

function textKind(schema: Schema, name: string): FieldKind {
  const kind = schema["x-atelier-kind"];
  if (typeof kind === "string") {
    const media = assetMedia[kind];
    if (media !== undefined) return { kind: "file", media, isBase64: false, isAsset: true };
    if (kind === "color") return { kind: "color" };
    return {
      kind: "text",
      isLong: schema["x-atelier-multiline"] === true,
      maxLength: numberIn(schema["maxLength"]),
    };
  }
  const words = `${schema["description"] ?? ""} ${schema["format"] ?? ""} ${schema["contentMediaType"] ?? ""}`;
  const media = mediaIn(name, schema);
  if (media !== null) {
    const isEncoded = /base64/i.test(`${schema["contentEncoding"] ?? ""} ${schema["format"] ?? ""}`);
    const isPlain = /base64/i.test(words) && /without a prefix|no prefix|base64 of/i.test(words);
    return { kind: "file", media, isBase64: isEncoded || isPlain, isAsset: false };
  }
  const most = numberIn(schema["maxLength"]);
  const isLong = longNames.test(name) || (most !== null && most > 200);
  return { kind: "text", isLong, maxLength: most };
}

// A text field that takes a file: its name says of which kind, and it is not a choice from a list.
function mediaIn(name: string, schema: Schema): "image" | "video" | "audio" | "file" | null {
  const format = String(schema["format"] ?? "");
  const type = String(schema["contentMediaType"] ?? "");
  const isAddress = /^(uri|url|data-url|binary|byte)/.test(format) || "contentEncoding" in schema || type !== "";
  const isNamed =
    /(^|_|[a-z])(images?|videos?|audios?|masks?|photos?|pictures?|frames?|files?)(_?(\d+|url|uri|tail|prompt|base64|b64))*$/i.test(
      name,
    );
  const isUrl =
    /(^|_)(url|uri)$/i.test(name) && /picture|image|video|audio|file|data url/i.test(String(schema["description"]));
  if (!isNamed && !isUrl && !(isAddress && type !== ""))
    return isAddress && /^(data-url|binary|byte)/.test(format) ? "file" : null;
  const said = `${name} ${type} ${isUrl ? schema["description"] : ""}`;
  if (/video|film/i.test(said)) return "video";
  if (/audio|voice|sound/i.test(said)) return "audio";
  if (/image|mask|photo|picture|frame/i.test(said)) return "image";
  return "file";
}

function bounds(schema: Schema): Bounds {
  const least = numberIn(schema["minimum"]) ?? numberIn(schema["exclusiveMinimum"]);
  const most = numberIn(schema["maximum"]) ?? numberIn(schema["exclusiveMaximum"]);
  return { least, most, step: numberIn(schema["multipleOf"] ?? schema["x-atelier-step"]) };
}

const numberIn = (value: unknown): number | null =>
  typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : null;

const listIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

// Any object: the schema says nothing about its members.
export function isPermissive(schema: Schema): boolean {
  return ["properties", "required", "oneOf", "anyOf", "allOf", "$ref", "enum"].every((word) => !(word in schema));
}

export function titleOf(name: string, schema: Schema): string {
  if (typeof schema["title"] === "string" && schema["title"].length < 60) return schema["title"];
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim();
  return words === "" ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

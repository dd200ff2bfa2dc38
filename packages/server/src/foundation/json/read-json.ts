// Strict JSON with the hash of its canonical form, which is how submissions are compared.
import { createHash } from "node:crypto";
import { canonicalJson, type JsonDocument, type JsonLimits, parseJson } from "./json-bytes.ts";

export interface ReadJson extends JsonDocument {
  // SHA-256 of the canonical form.
  readonly hash: Uint8Array;
}

export interface ReadJsonOptions {
  readonly limits: Partial<JsonLimits>;
  // Members of the outermost object that are left out of the hash. Null if no hash is needed: it is empty then.
  readonly unhashed: readonly string[] | null;
}

export function readWhole(bytes: Buffer, { limits, unhashed }: ReadJsonOptions): ReadJson {
  const document = parseJson(bytes, limits);
  return { ...document, hash: unhashed === null ? noHash : hashOf(document, unhashed) };
}

const noHash = new Uint8Array();

function hashOf({ value, exactIntegers }: JsonDocument, unhashed: readonly string[]): Uint8Array {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const compared = isObject
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !unhashed.includes(name)))
    : value;
  return createHash("sha256").update(canonicalJson(compared, exactIntegers)).digest();
}

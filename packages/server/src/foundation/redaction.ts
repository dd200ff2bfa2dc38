// Removes secrets that we sent elsewhere from texts and bytes. A server that we authenticate to may repeat what we sent, in an
// error or a result, and its answer is passed on to tenants, recorded answers, webhooks and the log.
// A secret is found in plain form and in its usual encodings: URL-encoded, JSON-escaped, hexadecimal, and in base64 at any
// offset of a longer text (basic authentication). If there is none, the same text or bytes are returned.
// The cost is linear: one search per form. Anything shorter than eight characters does not count as a secret, because removing
// it would tear texts apart.
import { BoundedMap } from "@atelier/engine/bounded-map";

export interface Redaction {
  text(text: string): string;
  // The result has the same length: each byte of a secret becomes an asterisk, so JSON stays valid and sizes stay right. Large
  // bodies are searched in pieces, with other work in between.
  bytes(bytes: Buffer): Buffer | Promise<Buffer>;
}

const secretLengthMin = 8;
const formLengthMin = 8;
const piece = 1024 * 1024;
const knownMax = 500;

export const removedWords = "[removed]";

// Forms are computed once per secret: calls are many and credentials few.
const known = new BoundedMap<string, readonly SecretForm[]>(knownMax);

export interface SecretForm {
  readonly text: string;
  readonly bytes: Buffer;
}

export function createRedaction(secrets: Iterable<string>): Redaction {
  const forms = [...new Set(secrets)].flatMap(secretForms).sort((one, other) => other.text.length - one.text.length);
  return {
    text: (text) =>
      forms.reduce((left, form) => (left.includes(form.text) ? left.replaceAll(form.text, removedWords) : left), text),
    bytes: (bytes) => (bytes.byteLength <= piece ? blotted(bytes, forms) : blottedInPieces(bytes, forms)),
  };
}

function blotted(bytes: Buffer, forms: readonly SecretForm[]): Buffer {
  let result = bytes;
  for (const form of forms) {
    for (let at = result.indexOf(form.bytes); at >= 0; at = result.indexOf(form.bytes, at + form.bytes.byteLength)) {
      if (result === bytes) result = Buffer.from(bytes);
      result.fill(0x2a, at, at + form.bytes.byteLength);
    }
  }
  return result;
}

async function blottedInPieces(bytes: Buffer, forms: readonly SecretForm[]): Promise<Buffer> {
  const overlap = forms.reduce((most, { bytes: one }) => Math.max(most, one.byteLength), 0);
  let result = bytes;
  for (let from = 0; from < bytes.byteLength; from += piece) {
    const part = result.subarray(from, from + piece + overlap);
    const clean = blotted(part, forms);
    if (clean !== part) {
      if (result === bytes) result = Buffer.from(bytes);
      clean.copy(result, from);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return result;
}

export function secretForms(secret: string): readonly SecretForm[] {
  const ready = known.get(secret);
  if (ready) return ready;
  const texts = secret.length < secretLengthMin ? [] : [secret, ...writings(secret), ...encodings(secret)];
  const forms = [...new Set(texts)].map((text) => ({ text, bytes: Buffer.from(text) }));
  known.set(secret, forms);
  return forms;
}

// The secret parts of a credential as configured and as sent in a header: the whole value, the part after its scheme, and the
// second half of a pair. The first half is a user name, which may be an ordinary word.
export function credentialParts(value: string): ReadonlySet<string> {
  const bare = value.replace(/^[A-Za-z]+ /, "");
  const colon = bare.indexOf(":");
  return new Set([value, bare, ...(colon < 0 ? [] : [bare.slice(colon + 1)])]);
}

// URL-encoded, and in JSON as different writers escape it.
function writings(secret: string): string[] {
  const wellFormed = secret.isWellFormed() ? secret : "";
  const inAddress = encodeURIComponent(wellFormed);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const code = (character: string) => character.charCodeAt(0).toString(16).padStart(4, "0");
  return [
    inAddress,
    inAddress.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
    inJson,
    inJson.replaceAll("/", "\\/"),
    inJson.replace(/[+&<>'=]/g, (character) => `\\u${code(character)}`),
    inJson.replace(/[+&<>'=]/g, (character) => `\\u${code(character).toUpperCase()}`),
  ].filter((text) => text.length >= secretLengthMin);
}

// Base64 writes three bytes as four characters, so a secret inside a longer text can look three different ways. For each we
// search only the characters that the secret alone determines.
function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const found = [bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor((shifted.byteLength * 8) / 6);
    for (const encoding of ["base64", "base64url"] as const) found.push(shifted.toString(encoding).slice(from, to));
  }
  return found.filter((text) => text.length >= formLengthMin);
}

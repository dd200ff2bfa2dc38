// Takes out of texts and bytes what was sent elsewhere as a secret. A server that we authenticate to may repeat what we sent,
// in an error as well as in a result, and what it says goes on to tenants, into recorded answers, webhooks and the log.
// A secret is found as it is and as it is usually written: for an address, in JSON, in base64 at any offset of a longer
// text (basic authentication), in hexadecimal. Where there is none, the very same text or bytes come back.
// The cost is linear: one search for each form. What has fewer than eight characters is no
// secret: texts would be torn apart by it.
import { BoundedMap } from "@atelier/engine/bounded-map";

export interface Redaction {
  text(text: string): string;
  // Of the same length: each byte of a secret becomes an asterisk, so that JSON stays JSON and sizes stay right. Large
  // bodies are looked through in pieces, and others have their turn in between.
  bytes(bytes: Buffer): Buffer | Promise<Buffer>;
}

const secretLengthMin = 8;
const formLengthMin = 8;
const piece = 1024 * 1024;
const knownMax = 500;

export const removedWords = "[removed]";

// Forms are made once for each secret: calls are many and credentials few.
const known = new BoundedMap<string, readonly SecretForm[]>(knownMax);

export interface SecretForm {
  readonly text: string;
  readonly bytes: Buffer;
}

export function redactionOf(secrets: Iterable<string>): Redaction {
  const forms = [...new Set(secrets)].flatMap(formsOfSecret).sort((one, other) => other.text.length - one.text.length);
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

export function formsOfSecret(secret: string): readonly SecretForm[] {
  const ready = known.get(secret);
  if (ready) return ready;
  const texts = secret.length < secretLengthMin ? [] : [secret, ...writings(secret), ...encodings(secret)];
  const forms = [...new Set(texts)].map((text) => ({ text, bytes: Buffer.from(text) }));
  known.set(secret, forms);
  return forms;
}

// A credential as it was configured and as it stands in a header: whole, behind its scheme, and of a pair its second half.
// The first half is a name, and names are words.
export function credentialParts(value: string): ReadonlySet<string> {
  const bare = value.replace(/^[A-Za-z]+ /, "");
  const colon = bare.indexOf(":");
  return new Set([value, bare, ...(colon < 0 ? [] : [bare.slice(colon + 1)])]);
}

// In an address, and in JSON as different writers escape it.
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

// Base64 writes three bytes as four characters, so a secret inside a longer text looks three different ways; of each the
// characters count that it alone decides.
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

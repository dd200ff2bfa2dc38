// What may be kept of a body. Secrets are removed: members that are named like one, texts that look like a key, and every
// secret that this server or the workspace holds. Files inside (data: URLs and long base64) are replaced by what they were, and
// a body that is a file itself by its type, size and hash. The rest stays as it was sent, large integers included.
import { createHash } from "node:crypto";
import { readExactJson, writeExactJson } from "../../foundation/json/exact-json.ts";
import { requireJsonShape } from "../../foundation/json/json-bytes.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import type { Hiding } from "../../foundation/known-secrets.ts";
import { removedWords } from "../../foundation/redaction.ts";
import { attempt } from "../../foundation/retry.ts";
import type { BodyKind, KeptBody, RawBody, RemovedPart } from "./request-body.ts";

export interface StripRules {
  // Masks the secrets that the server and the workspace hold.
  readonly hiding: Hiding;
  // The most that is kept, after everything was removed.
  readonly bytesMax: number;
}

const removedMax = 100;
// Larger ones are not looked into: it would hold up other requests.
const readBytesMax = 8 * 1024 * 1024;
const fileCharactersMin = 2_048;
// Deeper or with more values than this, a body is no longer read as JSON: that would hold up other requests.
const shape = { depthMax: 64, keysMax: 20_000, valuesMax: 50_000 };

export function stripBody({ type, bytes }: RawBody, sha256: string, rules: StripRules): KeptBody {
  const facts = { type, bytes: bytes.byteLength, sha256 };
  const without = (kind: BodyKind): KeptBody => ({ ...facts, kind, text: null, removed: [] });
  const isJson = type === null || /^application\/(?:[^;]+\+)?json\b/i.test(type);
  if (!isJson && !/^text\//i.test(type)) return without("file");
  if (bytes.byteLength > readBytesMax) return without("too_large");
  const document = isJson ? readDocument(bytes) : undefined;
  const removed: RemovedPart[] = [];
  const note = (at: string, what: RemovedPart["what"]) => {
    if (removed.length < removedMax && !removed.some((one) => one.at === at && one.what === what))
      removed.push({ at, what });
  };
  const kept =
    document === undefined
      ? strippedText(bytes.toString("utf8").toWellFormed(), "", note)
      : writeExactJson(stripped(document.value, "", note));
  if (Buffer.byteLength(kept) > rules.bytesMax) return without("too_large");
  return document === undefined
    ? { ...facts, kind: "text", text: hiddenText(kept, rules.hiding, note), removed }
    : { ...facts, kind: "json", text: hiddenJson(kept, rules.hiding, note), removed };
}

function readDocument(bytes: Buffer): { readonly value: unknown } | undefined {
  return attempt(() => {
    requireJsonShape(bytes, shape);
    return { value: readExactJson(bytes.toString("utf8")) };
  }, undefined);
}

type Note = (at: string, what: RemovedPart["what"]) => void;

// Named like a secret, whatever the spelling: `api_key`, `x-api-key`, `ApiKey`. Counts such as `max_tokens` are not.
const secretNames =
  /^(?:proxy)?authorization$|^(?:set)?cookies?$|password$|passphrase$|passwd$|secret$|credentials?$|(?:api|access|secret|private|auth)key$|^(?:access|refresh|id|auth|api|bearer|session|security|csrf)?token$/;
const normal = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function stripped(value: unknown, at: string, note: Note): unknown {
  if (typeof value === "string") return strippedText(value, at, note);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => stripped(item, `${at}/${index}`, note));
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const below = `${at}/${pointerSegment(name)}`;
    if (!secretNames.test(normal(name)) || member === null || typeof member === "boolean" || member === "")
      return [strippedText(name, below, note), stripped(member, below, note)] as const;
    note(below, "secret");
    return [name, removedWords] as const;
  });
  // fromEntries defines members, so one called __proto__ is a member like any other.
  return Object.fromEntries(members);
}

// Keys of this server and of well-known services, JWTs, private keys, header values, and passwords and signatures in URLs. A key
// has a digit, which tells it from words with hyphens. Nothing scans ahead without a bound, so the cost is linear.
const secretShapes: readonly RegExp[] = [
  /\b(?:service|admin|worker)-(?=[A-Za-z.~-]{0,64}[0-9_])[A-Za-z0-9._~-]{16,}/g,
  /\bwhsec_[A-Za-z0-9+/=_-]{16,}/g,
  /\b(?:sk|rk|fal|xai|gsk|hf|r8|ghp|gho|ghs|ghu|github_pat|glpat|npm|xox[abeoprs])[-_](?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{16,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=[?&](?:[A-Za-z-]*signature|sig|s|token|[a-z_]*key|x-amz-[a-z-]+|password)=)[^&\s"'<>]{12,}/gi,
  /(?<=:\/\/[^:/?#\s"@]{1,256}:)[^@/\s"]{1,256}(?=@)/g,
];
const dataUrl = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+=-]+)*?;base64,([A-Za-z0-9+/_-]+={0,2})/g;
const longBase64 = new RegExp(`[A-Za-z0-9+/_-]{${fileCharactersMin},}={0,2}`, "g");

function strippedText(given: string, at: string, note: Note): string {
  let text = given;
  if (text.length >= fileCharactersMin) {
    text = text.replace(dataUrl, (whole, type: string | undefined, encoded: string) => {
      if (whole.length < fileCharactersMin) return whole;
      note(at, "file");
      return fileWords(type ?? "file", encoded);
    });
    text = text.replace(longBase64, (encoded) => {
      note(at, "file");
      return fileWords("base64", encoded);
    });
  }
  if (text.length < 8) return text;
  for (const secretShape of secretShapes)
    text = text.replace(secretShape, () => {
      note(at, "secret");
      return removedWords;
    });
  return text;
}

function fileWords(type: string, encoded: string): string {
  const bytes = Buffer.from(encoded, "base64");
  return `[removed: ${type}, ${bytes.byteLength} bytes, sha256 ${hashOf(bytes)}]`;
}

function hiddenText(text: string, hiding: Hiding, note: Note): string {
  const hidden = hiding.text(text);
  if (hidden !== text) note("", "secret");
  return hidden;
}

// The masks keep the length of a secret, so the document stays JSON.
function hiddenJson(text: string, hiding: Hiding, note: Note): string {
  const document = Buffer.from(text);
  const hidden = hiding.json(document);
  if (hidden === document) return text;
  note("", "secret");
  return hidden.toString("utf8");
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

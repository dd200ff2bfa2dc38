// The text format of the key ring. Parsed strictly: a half-understood ring would sign with the wrong key. An error names
// the entry and what is wrong with it, never a secret; the code that read the file adds its name.
import { newRing, type Ring, type RingKey, secretBytes } from "./ring.ts";

export class RingUnreadable extends Error {}

const version = 1;
const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
const purposePattern = /^[a-z][a-z0-9-]{0,63}$/;

export function formatRing(ring: Ring): string {
  const keys = ring.map((key) => ({
    id: key.id,
    purpose: key.purpose,
    secret: key.secret.toString("base64url"),
    sign_from: key.signFrom.toISOString(),
    ...(key.signUntil === null ? {} : { sign_until: key.signUntil.toISOString() }),
    ...(key.verifyUntil === null ? {} : { verify_until: key.verifyUntil.toISOString() }),
  }));
  return `${JSON.stringify({ version, keys }, null, 2)}\n`;
}

// A ring of fresh keys, in its file's format.
export function newRingText(now: Date): string {
  return formatRing(newRing(now));
}

export function parseRing(text: string): Ring {
  const content = asObject(parseJson(text), "it");
  if (content["version"] !== version) refuse(`it must have "version": ${version}`);
  const entries = content["keys"];
  if (!Array.isArray(entries) || entries.length === 0) refuse('it must have a non-empty array "keys"');
  const ring = entries.map(parseKey);
  const twice = ring.find((key, index) => ring.findIndex((other) => other.id === key.id) !== index);
  if (twice) refuse(`it contains the id ${twice.id} twice`);
  return ring;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message may quote the text, which contains secrets, so it is not passed on, not even as cause.
    return refuse("it is not JSON");
  }
}

function parseKey(entry: unknown, index: number): RingKey {
  const where = `entry ${index}`;
  const fields = asObject(entry, where);
  const id = fields["id"];
  if (typeof id !== "string" || !idPattern.test(id)) refuse(`${where} needs an id of letters, digits, - and _`);
  const purpose = fields["purpose"];
  if (typeof purpose !== "string" || !purposePattern.test(purpose)) refuse(`${where} needs a purpose such as cursor`);
  const encoded = fields["secret"];
  const secret = Buffer.from(typeof encoded === "string" ? encoded : "", "base64url");
  if (secret.length !== secretBytes || secret.toString("base64url") !== encoded) {
    refuse(`${where} needs a secret of ${secretBytes} bytes in base64url`);
  }
  const signFrom = parseDate(fields["sign_from"], `${where} needs a sign_from`);
  if (signFrom === null) refuse(`${where} needs a sign_from`);
  return {
    id,
    purpose,
    secret,
    signFrom,
    signUntil: parseDate(fields["sign_until"], `${where} has a sign_until`),
    verifyUntil: parseDate(fields["verify_until"], `${where} has a verify_until`),
  };
}

const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

function parseDate(value: unknown, what: string): Date | null {
  if (value === undefined || value === null) return null;
  const date = new Date(typeof value === "string" && datePattern.test(value) ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? refuse(`${what} that is not a time such as 2026-01-01T00:00:00.000Z`) : date;
}

function asObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse(`${what} must be a JSON object`);
  return Object.fromEntries(Object.entries(value));
}

function refuse(sentence: string): never {
  throw new RingUnreadable(sentence);
}

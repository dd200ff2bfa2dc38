// The format of an API key: `service-` + 8 public characters + `_` + 32 secret ones + 6 of checksum, all base62. The
// checksum lets us refuse typos and invented keys without a database query, and the fixed format lets secret scanners
// find leaked keys. Any other `service-…` string may be a key that an operator chose, so it is looked up.
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyId, PersonId, ServiceAccountId, WorkspaceId } from "../../foundation/ids.ts";
import type { Role, Scope } from "./principal.ts";

export const keyPrefix = "service-";
// Longer than any key we issue or accept from an operator. Longer ones are refused unread.
const keyCharactersMax = 255;
export const chosenKeyCharactersMin = 32;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const issuedPattern = /^service-[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;
const visiblePattern = /^[!-~]+$/;
const checksumCharacters = 6;
// Derived tokens look like keys, so that every client can send one where it sends a key.
export const tokenPrefix = `${keyPrefix}token_`;
const tokenPattern = /^service-token_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

export function generateKey(): string {
  const body = `${keyPrefix}${randomText(8)}_${randomText(32)}`;
  return body + checksumOf(body);
}

export function generateDerivedToken(): string {
  const body = `${tokenPrefix}${randomText(8)}_${randomText(32)}`;
  return body + checksumOf(body);
}

// "bad_checksum" and "not_a_key" can be refused without a look-up; the others can only be decided by one.
export function keyShape(text: string): "issued" | "token" | "bad_checksum" | "chosen" | "not_a_key" {
  if (!text.startsWith(keyPrefix) || text.length > keyCharactersMax || !visiblePattern.test(text)) return "not_a_key";
  const isToken = text.startsWith(tokenPrefix);
  if (!(isToken ? tokenPattern : issuedPattern).test(text)) return isToken ? "not_a_key" : "chosen";
  const body = text.slice(0, -checksumCharacters);
  if (!text.endsWith(checksumOf(body))) return "bad_checksum";
  return isToken ? "token" : "issued";
}

// 190 random bits cannot be guessed offline, so one round of SHA-256 is the right hash (slow ones are for passwords).
export function hashSecret(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

// The public part of an issued key or token; for a chosen key, four of at least 24 characters.
export function displayPrefix(key: string): string {
  if (keyShape(key) === "token") return key.slice(0, tokenPrefix.length + 8);
  return key.slice(0, keyPrefix.length + (keyShape(key) === "issued" ? 8 : 4));
}

// 256 random bits as text, for links and cookies.
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isRandomToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let position = 0; position < checksumCharacters; position += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

// Bytes of 248 and above are discarded: modulo 62 they would favour the first letters.
function randomText(characters: number): string {
  let text = "";
  while (text.length < characters) {
    for (const byte of randomBytes(characters * 2)) {
      if (byte < 248 && text.length < characters) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

export interface ApiKey {
  readonly id: KeyId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly prefix: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly createdBy: PersonId | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  // The key of a link: the only work that it may call. Null for ordinary keys.
  readonly onlyModel: string | null;
  // Whose key it is, if it is a service account's.
  readonly serviceAccount: { readonly id: ServiceAccountId; readonly name: string } | null;
}

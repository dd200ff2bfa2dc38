// The format of a token and how a request presents it. The text has 256 random bits, so a fast hash is right: only the
// hash is stored, and look-ups use it.
import { createHash, randomBytes } from "node:crypto";

export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString("base64url")}`;
}

export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

export type Presented =
  | { readonly kind: "none" }
  | { readonly kind: "refused" }
  | { readonly kind: "secret"; readonly secret: string };

const bearerPattern = /^bearer +([!-~]{1,512})$/i;
const secretPattern = /^[!-~]{1,512}$/;

// Both credential headers work, as everywhere (decisions, section 1). A bad X-API-Key never falls back to the other, and
// a header sent twice is refused, since two readers could see two different callers.
export function readPresented(rawHeaders: readonly string[]): Presented {
  const apiKeys = valuesOf(rawHeaders, "x-api-key");
  const authorizations = valuesOf(rawHeaders, "authorization");
  if (apiKeys.length > 1 || authorizations.length > 1) return { kind: "refused" };
  const [apiKey] = apiKeys;
  if (apiKey !== undefined) {
    return secretPattern.test(apiKey) ? { kind: "secret", secret: apiKey } : { kind: "refused" };
  }
  const [authorization] = authorizations;
  if (authorization === undefined) return { kind: "none" };
  const secret = bearerPattern.exec(authorization)?.[1];
  return secret === undefined ? { kind: "refused" } : { kind: "secret", secret };
}

// Only as a bearer, and only text that could be a token of this kind; anything else counts as no token.
export function readBearer(rawHeaders: readonly string[], prefix: string): Presented {
  const values = valuesOf(rawHeaders, "authorization");
  const secret = values.length === 1 ? bearerPattern.exec(values[0] ?? "")?.[1] : undefined;
  return secret?.startsWith(prefix) ? { kind: "secret", secret } : { kind: "none" };
}

// Three parts separated by dots, as the only credential and as a bearer. None of our tokens contains a dot.
export function isIdentityToken(rawHeaders: readonly string[]): boolean {
  if (valuesOf(rawHeaders, "x-api-key").length > 0) return false;
  const [value = "", ...others] = valuesOf(rawHeaders, "authorization");
  return others.length === 0 && /^bearer +[\w-]+\.[\w-]+\.[\w-]*$/i.test(value);
}

function valuesOf(rawHeaders: readonly string[], wanted: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted);
}

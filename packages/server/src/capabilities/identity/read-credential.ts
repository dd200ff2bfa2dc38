// Decides which credential a request presents. Spec, Authentication 1–3: the prefix classifies, `X-API-Key` wins over
// `Authorization`, a bearer value without the prefix is a cloud identity JWT. An unusable `X-API-Key` never falls back to
// `Authorization`, and a credential header sent twice is always refused: two readers of one request must not be able to
// see two different callers.
import { keyPrefix } from "./api-key.ts";

export type Credential =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly value: string }
  | { readonly kind: "token"; readonly value: string }
  | { readonly kind: "refused" };

const none: Credential = { kind: "none" };
const refused: Credential = { kind: "refused" };
const bearerPattern = /^bearer +([!-~]+)$/i;

// Reads the raw headers, because the parsed form hides repeated ones.
export function readCredential(rawHeaders: readonly string[]): Credential {
  let apiKey: string | undefined;
  let authorization: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (name.length === 9 && name.toLowerCase() === "x-api-key") {
      if (apiKey !== undefined) return refused;
      apiKey = value;
    } else if (name.length === 13 && name.toLowerCase() === "authorization") {
      if (authorization !== undefined) return refused;
      authorization = value;
    }
  }
  if (apiKey !== undefined) return apiKey.startsWith(keyPrefix) ? { kind: "key", value: apiKey } : refused;
  if (authorization === undefined) return none;
  const bearer = bearerPattern.exec(authorization)?.[1];
  if (bearer === undefined) return refused;
  return bearer.startsWith(keyPrefix) ? { kind: "key", value: bearer } : { kind: "token", value: bearer };
}

// Authenticates us to a provider. A credential is bound to the provider's own origin: headers are made only for a request
// to that origin.
import { createHmac } from "node:crypto";
import type { Clock } from "../../foundation/clock.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { ProviderDefinition } from "./definition.ts";

export type CredentialDefinition = ProviderDefinition["credential"];

export function credentialHeaders(
  definition: CredentialDefinition,
  secret: Secret | null,
  clock: Clock,
): Readonly<Record<string, string>> {
  if (definition.kind === "none" || secret === null) return {};
  const value = secret.reveal();
  switch (definition.kind) {
    case "bearer":
      return { authorization: `Bearer ${value}` };
    case "header":
      return { [definition.header.toLowerCase()]: `${definition.prefix ?? ""}${value}` };
    case "key_pair":
      return { authorization: `Key ${value}` };
    case "jwt_hs256":
      return { authorization: `Bearer ${jwtOf(value, definition.seconds, clock)}` };
  }
}

function jwtOf(pair: string, seconds: number, clock: Clock): string {
  const colon = pair.indexOf(":");
  const now = Math.floor(clock.now().getTime() / 1000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  // Five seconds in the past, because their clock may be behind ours.
  const claims = { iss: pair.slice(0, colon), exp: now + seconds, nbf: now - 5 };
  const head = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${head}.${createHmac("sha256", pair.slice(colon + 1))
    .update(head)
    .digest("base64url")}`;
}

// Our own identity issuer, so that people can have a cloud identity JWT without any other service. Its Ed25519 keys are
// derived from the key ring's 32-byte secrets (purpose "identity-issuer"): rotating those rotates these, and a token
// signed before still verifies until it expires. Private keys never leave this file.
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { createLocalJWKSet, type JSONWebKeySet, type JWK, SignJWT } from "jose";
import { invariant } from "../../../foundation/assert.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { newId, type PersonId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { SessionId } from "../principal.ts";
import type { KeySource } from "./key-set.ts";

export interface KeyRing {
  current(purpose: string): { readonly id: string; readonly secret: Buffer };
  verifying(purpose: string): readonly { readonly id: string; readonly secret: Buffer }[];
}

export interface TokenHolder {
  readonly personId: PersonId;
  readonly workspaceId: WorkspaceId;
  readonly sessionId: SessionId;
}

export interface EmbeddedIssuer {
  // The `iss` of its tokens: our base URL.
  name(): string;
  // A token lives no longer than the session it is made from. A token for another audience is valid only there.
  sign(holder: TokenHolder, audience?: string): Promise<{ token: string; expiresAt: Date }>;
  // The body of GET /.well-known/jwks.json.
  jwks(): JSONWebKeySet;
  readonly keys: KeySource;
}

export const embeddedAudience = "atelier";
export const embeddedTokenKind = "at+jwt";
const purpose = "identity-issuer";
// The console keeps its token in memory and fetches the next one; an application keeps its token for longer.
const tokenSeconds = 900;
const tokenSecondsElsewhere = 3_600;
// The fixed start of a PKCS #8 document that holds one Ed25519 seed (RFC 8410).
const seedOpening = Buffer.from("302e020100300506032b657004220420", "hex");

interface EmbeddedIssuerOptions {
  readonly keyRing: KeyRing;
  // A function, because the address is known only once we listen.
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

export function createEmbeddedIssuer({ keyRing, baseUrl, clock }: EmbeddedIssuerOptions): EmbeddedIssuer {
  const grown = new Map<string, { privateKey: KeyObject; publicJwk: JWK }>();
  let local: { ids: string; find: ReturnType<typeof createLocalJWKSet> } | undefined;

  function keyPair(entry: { id: string; secret: Buffer }) {
    const known = grown.get(entry.id);
    if (known !== undefined) return known;
    const pair = growKeyPair(entry);
    grown.set(entry.id, pair);
    return pair;
  }

  const jwks = (): JSONWebKeySet => ({
    keys: keyRing.verifying(purpose).map((entry) => ({ ...keyPair(entry).publicJwk })),
  });

  return {
    name: baseUrl,
    jwks,
    async sign({ personId, workspaceId, sessionId }, audience = embeddedAudience) {
      const entry = keyRing.current(purpose);
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const expiresAt = issuedAt + (audience === embeddedAudience ? tokenSeconds : tokenSecondsElsewhere);
      const token = await new SignJWT({ workspace: workspaceId, sid: sessionId })
        .setProtectedHeader({ alg: "EdDSA", kid: entry.id, typ: embeddedTokenKind })
        .setIssuer(baseUrl())
        .setAudience(audience)
        .setSubject(personId)
        .setJti(newId<"token">(clock.now().getTime()))
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(keyPair(entry).privateKey);
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    keys: {
      freshUntilMs: () => Number.POSITIVE_INFINITY,
      async find(header, token) {
        const ids = keyRing
          .verifying(purpose)
          .map((entry) => entry.id)
          .join("\n");
        if (local?.ids !== ids) local = { ids, find: createLocalJWKSet(jwks()) };
        return local.find(header, token);
      },
    },
  };
}

function growKeyPair(entry: { id: string; secret: Buffer }): { privateKey: KeyObject; publicJwk: JWK } {
  invariant(entry.secret.length === 32, "an identity issuer's secret has 32 bytes");
  const privateKey = createPrivateKey({
    key: Buffer.concat([seedOpening, entry.secret]),
    format: "der",
    type: "pkcs8",
  });
  const { kty, crv, x } = createPublicKey(privateKey).export({ format: "jwk" });
  invariant(kty === "OKP" && crv === "Ed25519" && x !== undefined, "an Ed25519 public key has these members");
  return { privateKey, publicJwk: { kty, crv, x, kid: entry.id, alg: "EdDSA", use: "sig" } };
}

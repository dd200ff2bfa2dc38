// Verifies cloud identity tokens (spec, Authentication 3). Everything a forger could choose is fixed before we look at
// the token: algorithms, issuer, audience, type and where keys come from. Headers that point to keys (`jku`, `x5u`,
// `jwk`, `x5c`) are never followed. A verdict is cached by the token's hash for a minute at most, and never beyond the
// token's expiry or the freshness of the keys it was made with.
import { hash } from "node:crypto";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import type { KeySource } from "./key-set.ts";

export interface TrustedIssuer {
  readonly kind: "embedded" | "external";
  name(): string;
  readonly audience: string;
  // The `typ` a token must have in its header.
  readonly tokenKind: string;
  readonly keys: KeySource;
}

export interface VerifiedToken {
  readonly issuer: TrustedIssuer;
  readonly subject: string;
  readonly workspace: string;
  readonly email: string | null;
  readonly name: string | null;
  // The session it was made from, if our own issuer made it.
  readonly session: string | null;
}

export interface JwtVerifier {
  // Null if we do not accept the token, for any reason.
  verify(token: string): Promise<VerifiedToken | null>;
  // True if exactly this token was accepted within the last minute.
  isRemembered(token: string): boolean;
}

export interface JwtVerifierOptions {
  readonly issuers: readonly TrustedIssuer[];
  readonly clock: Clock;
  readonly tokenAgeSecondsMax?: number;
}

const algorithms: ("RS256" | "ES256" | "EdDSA")[] = ["RS256", "ES256", "EdDSA"];
const tokenCharactersMax = 8 * 1024;
const clockToleranceSeconds = 60;
const rememberMs = 60_000;
const rememberedMax = 5_000;
const claimCharactersMax = 255;
const controlPattern = /\p{Cc}/u;
const compactPattern = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export function createJwtVerifier(options: JwtVerifierOptions): JwtVerifier {
  const { issuers, clock, tokenAgeSecondsMax = 86_400 } = options;
  const verdicts = new TtlCache<string, VerifiedToken>({ clock, keepMs: rememberMs, entriesMax: rememberedMax });
  return {
    isRemembered: (token) => verdicts.get(hashOf(token)) !== undefined,
    async verify(token) {
      if (token.length > tokenCharactersMax || !compactPattern.test(token)) return null;
      const name = hashOf(token);
      const known = verdicts.get(name);
      if (known !== undefined) return known;
      const claimed = claimedIssuer(token);
      const issuer = issuers.find((candidate) => candidate.name() === claimed);
      if (issuer === undefined) return null;
      const payload = await check(token, issuer, { now: clock.now(), tokenAgeSecondsMax });
      const verdict = payload === null ? null : readClaims(issuer, payload);
      if (verdict !== null && typeof payload?.exp === "number")
        verdicts.set(name, verdict, believedUntilMs(clock, verdict, payload.exp));
      return verdict;
    },
  };
}

// Until when (monotonic) a verdict may be cached.
function believedUntilMs(clock: Clock, { issuer }: VerifiedToken, expiresAtSeconds: number): number {
  const leftMs = expiresAtSeconds * 1000 - clock.now().getTime();
  return Math.min(clock.monotonicMs() + Math.min(rememberMs, leftMs), issuer.keys.freshUntilMs());
}

async function check(
  token: string,
  issuer: TrustedIssuer,
  { now, tokenAgeSecondsMax }: { now: Date; tokenAgeSecondsMax: number },
): Promise<JWTPayload | null> {
  try {
    const verified = await jwtVerify(token, (header, input) => issuer.keys.find(header, input), {
      algorithms,
      issuer: issuer.name(),
      audience: issuer.audience,
      typ: issuer.tokenKind,
      requiredClaims: ["exp", "sub", "workspace"],
      maxTokenAge: tokenAgeSecondsMax,
      clockTolerance: clockToleranceSeconds,
      currentDate: now,
    });
    // The tolerance is for other people's clocks. Our own tokens end exactly at their expiry.
    const { exp = 0 } = verified.payload;
    return issuer.kind === "embedded" && exp * 1000 <= now.getTime() ? null : verified.payload;
  } catch (thrown) {
    // If keys cannot be fetched, that is our problem and not a bad token; everything else is a bad token.
    if (thrown instanceof Fault) throw thrown;
    return null;
  }
}

// Only picks one of the configured issuers; the signature check that follows requires the same name.
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return undefined;
    throw thrown;
  }
}

// Only picks the verifier, which checks the audience itself.
export function claimedAudience(token: string): string | undefined {
  try {
    const { aud } = decodeJwt(token);
    return typeof aud === "string" ? aud : undefined;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return undefined;
    throw thrown;
  }
}

function readClaims(issuer: TrustedIssuer, payload: JWTPayload): VerifiedToken | null {
  const subject = shortText(payload.sub);
  const workspace = shortText(payload["workspace"]);
  if (subject === null || workspace === null) return null;
  const [name, session] = [payload["name"], payload["sid"]].map(shortText);
  // Verbatim: an invalid address is refused, not treated as missing.
  const email = typeof payload["email"] === "string" ? payload["email"] : null;
  return { issuer, subject, workspace, email, name: name ?? null, session: session ?? null };
}

// Text that can be stored and compared: no NUL or other control characters, no broken surrogates.
function shortText(value: unknown): string | null {
  if (typeof value !== "string" || value.length === 0 || value.length > claimCharactersMax) return null;
  return value.isWellFormed() && !controlPattern.test(value) ? value : null;
}

function hashOf(token: string): string {
  return hash("sha256", token, "base64url");
}

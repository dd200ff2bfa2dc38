// Public keys of a remote identity issuer. While the issuer is down, jose's own remote set fetches again on every token
// and forgets its keys after ten minutes. Ours makes two promises that it does not: at most one fetch per 30 seconds in
// any case, and keys up to 24 hours old keep verifying while the issuer cannot be reached. A key that the issuer removed
// is refused after ten minutes at the latest.
import { type CompactJWSHeaderParameters, createLocalJWKSet, errors, type FlattenedJWSInput, type JWK } from "jose";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";

type LocalKeySet = ReturnType<typeof createLocalJWKSet>;
type VerifyingKey = Awaited<ReturnType<LocalKeySet>>;

export interface KeySource {
  find(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<VerifyingKey>;
  // Until when (monotonic) a verdict made with these keys may be cached.
  freshUntilMs(): number;
}

// Returns the body of the key set document: at most `bytesMax`, within `timeoutMs`, without following redirects.
export type FetchKeySet = (url: string, limits: { bytesMax: number; timeoutMs: number }) => Promise<Uint8Array>;

export const keySetLimits = {
  bytesMax: 256 * 1024,
  keysMax: 32,
  timeoutMs: 5_000,
  cooldownMs: 30_000,
  freshMs: 600_000,
  staleMs: 24 * 3_600_000,
} as const;

interface RemoteKeySetOptions {
  readonly url: string;
  readonly fetchKeySet: FetchKeySet;
  readonly clock: Clock;
}

export function remoteKeySet({ url, fetchKeySet, clock }: RemoteKeySetOptions): KeySource {
  let held: { keys: LocalKeySet; fetchedAtMs: number } | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const startedAtMs = clock.monotonicMs();
    triedAtMs = startedAtMs;
    try {
      const bytes = await fetchKeySet(url, { bytesMax: keySetLimits.bytesMax, timeoutMs: keySetLimits.timeoutMs });
      held = { keys: readKeySet(bytes), fetchedAtMs: startedAtMs };
    } catch {
      // No matter what went wrong, the keys we have stay valid as long as their age allows.
    }
  }

  async function refreshUnlessCooling(): Promise<void> {
    if (pending === undefined) {
      if (clock.monotonicMs() - triedAtMs < keySetLimits.cooldownMs) return;
      pending = refresh().finally(() => {
        pending = undefined;
      });
    }
    await pending;
  }

  function usable(): LocalKeySet {
    if (held !== undefined && clock.monotonicMs() - held.fetchedAtMs < keySetLimits.staleMs) return held.keys;
    throw issuerAway();
  }

  return {
    freshUntilMs: () => (held === undefined ? 0 : held.fetchedAtMs + keySetLimits.freshMs),
    async find(header, token) {
      if (held === undefined || clock.monotonicMs() - held.fetchedAtMs >= keySetLimits.freshMs) {
        await refreshUnlessCooling();
      }
      const before = usable();
      try {
        return await before(header, token);
      } catch (thrown) {
        if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown;
        await refreshUnlessCooling();
        const after = usable();
        if (after === before) throw thrown;
        return after(header, token);
      }
    },
  };
}

function issuerAway(): Fault {
  return new Fault("service_unavailable", "The identity issuer's keys cannot be fetched right now.", {
    retryAfterSeconds: keySetLimits.cooldownMs / 1000,
  });
}

// Keeps only public signature keys: a symmetric key in a public document would let every reader sign.
function readKeySet(bytes: Uint8Array): LocalKeySet {
  if (bytes.byteLength > keySetLimits.bytesMax) throw new Error("The key set document is too large.");
  const document: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (typeof document !== "object" || document === null || !("keys" in document) || !Array.isArray(document.keys)) {
    throw new Error("The key set document has no keys.");
  }
  if (document.keys.length > keySetLimits.keysMax) throw new Error("The key set document has too many keys.");
  const keys = document.keys.filter(isPublicKey);
  if (keys.length === 0) throw new Error("The key set document has no usable key.");
  return createLocalJWKSet({ keys });
}

function isPublicKey(value: unknown): value is JWK {
  if (typeof value !== "object" || value === null || !("kty" in value)) return false;
  if (value.kty !== "RSA" && value.kty !== "EC" && value.kty !== "OKP") return false;
  return !("d" in value) && !("k" in value);
}

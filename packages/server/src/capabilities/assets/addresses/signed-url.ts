// Signed URLs: /c/{assetId}?e=…&k=…&s=… and optionally &d=attachment. The signature covers the kind of method, the path,
// the expiry, the key, and the workspace and hash, which we read from our own rows and never from the URL. A URL is
// accepted only in the exact spelling in which it was issued, including order, case and encoding, so nothing has a second
// URL. It gives the bytes of that one asset; no request header changes what it gives.
import { createHmac, timingSafeEqual } from "node:crypto";
import { BoundedMap } from "@atelier/engine/bounded-map";
import { invariant } from "../../../foundation/assert.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { parseId } from "../../../foundation/ids.ts";
import type { KeyRing } from "../../secrets/index.ts";
import type { Asset, AssetId } from "../asset.ts";

type Signed = Pick<Asset, "id" | "workspaceId" | "hash">;

export interface SignedUrl {
  readonly url: string;
  // When this URL really expires (Spec, Output URL rule 1).
  readonly expiresAt: Date;
}

// A URL with a valid form and key. Whether we issued it is known only once the asset is read.
export interface SignedClaim {
  readonly path: string;
  readonly queryText: string;
  readonly assetId: AssetId;
  readonly expirySeconds: number;
  readonly keyId: string;
  readonly secret: Buffer;
  readonly signature: string;
  readonly disposition: Disposition;
}

type Disposition = "attachment" | "";

export interface SignedUrlsDeps {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  // The base URL of the content origin, without a trailing slash.
  readonly contentUrl: () => string;
  readonly validitySeconds: number;
}

export interface SignedUrls {
  sign(asset: Signed, options?: { readonly asAttachment: boolean }): SignedUrl;
  // Null if it is not one of our URLs.
  read(path: string, queryText: string): SignedClaim | null;
  // How many seconds it still works. Null if it was not issued for this asset or has expired.
  remainingSeconds(claim: SignedClaim, asset: Signed): number | null;
}

const signedUrlPurpose = "signed-url";
// Repeated reads within a step give the same URL, which caches can keep.
const stepSeconds = 300;
const skewSeconds = 300;
// The ring lets an old key verify for this long after a rotation. A URL could not outlive its key.
const signedUrlSecondsMax = 6 * 3600;
const signedUrlSecondsMin = 2 * stepSeconds;

const pathPrefix = "/c/";
const queryPattern = /^e=([1-9]\d{9})&k=([A-Za-z0-9_-]{1,64})&s=([A-Za-z0-9_-]{43})(&d=attachment)?$/;

export function createSignedUrls(deps: SignedUrlsDeps): SignedUrls {
  const { keyRing, clock, validitySeconds } = deps;
  invariant(
    validitySeconds >= signedUrlSecondsMin && validitySeconds <= signedUrlSecondsMax,
    "signed URLs live between 10 minutes and 6 hours",
  );
  const nowSeconds = () => clock.now().getTime() / 1000;
  const secretOf = (wanted: string) => keyRing.verifying(signedUrlPurpose).find(({ id }) => id === wanted)?.secret;
  const proofs = provenUrls();
  return {
    sign(asset, { asAttachment } = { asAttachment: false }) {
      const { id: keyId, secret } = keyRing.current(signedUrlPurpose);
      const expirySeconds = Math.floor((nowSeconds() + validitySeconds) / stepSeconds) * stepSeconds;
      const disposition = asAttachment ? "attachment" : "";
      const text = signedText(asset, { expirySeconds, keyId, disposition });
      const signature = signatureOf(secret, text).toString("base64url");
      const query = `e=${expirySeconds}&k=${keyId}&s=${signature}${asAttachment ? "&d=attachment" : ""}`;
      return {
        url: `${deps.contentUrl()}${pathPrefix}${asset.id}?${query}`,
        expiresAt: new Date(expirySeconds * 1000),
      };
    },
    read(path, queryText) {
      const known = proofs.claimOf(path, queryText);
      if (known && secretOf(known.keyId) === known.secret) return known;
      const assetId = path.startsWith(pathPrefix) ? parseId<"asset">(path.slice(pathPrefix.length)) : null;
      const [, expiry, keyId, signature, attachment] = queryPattern.exec(queryText) ?? [];
      if (assetId === null || expiry === undefined || keyId === undefined || signature === undefined) return null;
      const secret = secretOf(keyId);
      if (secret === undefined) return null;
      const disposition = attachment === undefined ? "" : "attachment";
      return { path, queryText, assetId, expirySeconds: Number(expiry), keyId, secret, signature, disposition };
    },
    remainingSeconds(claim, asset) {
      if (!proofs.isProven(claim, asset)) return null;
      const remaining = claim.expirySeconds - nowSeconds();
      return remaining > 0 && remaining <= validitySeconds + skewSeconds ? remaining : null;
    },
  };
}

interface Terms {
  readonly expirySeconds: number;
  readonly keyId: string;
  readonly disposition: Disposition;
}

// Caches URLs that passed the check, each with its parsed claim, the secret and everything else the signature covers, so
// that repeated requests for a file parse and verify its URL once. Only valid URLs are cached, and they match by exact
// text.
function provenUrls() {
  const known = new BoundedMap<string, { readonly claim: SignedClaim; readonly asset: Signed }>(provenMax);
  return {
    claimOf(path: string, queryText: string): SignedClaim | null {
      const claim = known.get(queryText)?.claim;
      return claim?.path === path ? claim : null;
    },
    isProven(claim: SignedClaim, asset: Signed): boolean {
      const proof = known.get(claim.queryText);
      if (proof?.claim === claim && isSame(proof.asset, asset)) return true;
      if (!isSignatureOf(claim, asset)) return false;
      known.set(claim.queryText, { claim, asset: { id: asset.id, workspaceId: asset.workspaceId, hash: asset.hash } });
      return true;
    },
  };
}

const provenMax = 1024;

function isSame(one: Signed, other: Signed): boolean {
  return one.id === other.id && one.workspaceId === other.workspaceId && one.hash === other.hash;
}

function isSignatureOf(claim: SignedClaim, asset: Signed): boolean {
  const given = Buffer.from(claim.signature, "base64url");
  // 43 base64 characters hold two bits more than 32 bytes, so we accept only the canonical spelling.
  if (given.length !== 32 || given.toString("base64url") !== claim.signature) return false;
  return timingSafeEqual(given, signatureOf(claim.secret, signedText(asset, claim)));
}

// R stands for reading: GET and HEAD only.
function signedText({ id, workspaceId, hash }: Signed, { expirySeconds, keyId, disposition }: Terms): string {
  return `v1\nR\n${pathPrefix}${id}\n${expirySeconds}\n${keyId}\n${workspaceId}\n${hash}\n${disposition}`;
}

function signatureOf(secret: Buffer, text: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

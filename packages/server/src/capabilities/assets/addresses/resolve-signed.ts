// Resolves a signed URL to its asset and the time the URL still works. Every failure throws the same forbidden. Answers
// synchronously if nothing has to be read, so that the most requested files cost no promise.
import { type Clock, systemClock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Asset } from "../asset.ts";
import { findSignedAssets } from "../asset-store.ts";
import { recentRecords } from "../recent-records.ts";
import type { SignedClaim, SignedUrls } from "./signed-url.ts";

export interface ResolvedUrl {
  readonly asset: Asset;
  readonly remainingSeconds: number;
  readonly asAttachment: boolean;
}

export type ResolveSigned = (arrival: {
  readonly path: string;
  readonly queryText: string;
}) => ResolvedUrl | Promise<ResolvedUrl>;

export function signedResolver(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  signedUrls: SignedUrls,
): ResolveSigned {
  const records = recentRecords({
    find: (assetIds) => findSignedAssets(database, assetIds, clock.now()),
    clock: systemClock,
  });
  const resolveClaim = (claim: SignedClaim, asset: Asset | null): ResolvedUrl => {
    const remainingSeconds = asset && signedUrls.remainingSeconds(claim, asset);
    if (!asset || !remainingSeconds) throw noSuchAddress();
    return { asset, remainingSeconds, asAttachment: claim.disposition === "attachment" };
  };
  return ({ path, queryText }) => {
    const claim = signedUrls.read(path, queryText);
    if (!claim) throw noSuchAddress();
    const asset = records.recent(claim.assetId, clock);
    if (asset) return resolveClaim(claim, asset);
    return records.read(claim.assetId).then((found) => resolveClaim(claim, found));
  };
}

function noSuchAddress(): Fault {
  return new Fault("forbidden", "This URL is invalid or has expired.");
}

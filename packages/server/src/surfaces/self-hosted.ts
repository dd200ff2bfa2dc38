// The surface next to an application on a personal machine: one workspace, no authentication unless a token is set, and no
// signed URLs (Spec, Output URL rule 3). Bytes come from the content endpoint, and expiries are null.
import { createHash, timingSafeEqual } from "node:crypto";
import { contentPath, type LinkArrival, type Surface, type SurfaceFolder } from "../areas/workflows/index.ts";
import type { Asset, Assets } from "../capabilities/assets/index.ts";
import type { PoolId } from "../capabilities/jobs/index.ts";
import { Fault } from "../foundation/fault.ts";
import type { WorkspaceId } from "../foundation/ids.ts";
import { hostAddress, type PublicUrl } from "./host-address.ts";

export interface SelfHostedDeps {
  readonly workspaceId: WorkspaceId;
  // Null if no credential is required.
  readonly token: string | null;
  readonly assets: Pick<Assets, "content">;
  // For a TLS proxy on this machine. Null to use the host that the caller used.
  readonly publicUrl: PublicUrl;
  readonly poolId: PoolId;
  // Absent if the application's files are not reachable.
  readonly folder?: SurfaceFolder;
  // The expiry shown for an unsigned URL: when its asset is deleted. If absent, the expiry is null.
  readonly unsignedUrlEnd?: (asset: Pick<Asset, "createdAt">) => Date;
}

export function selfHosted(deps: SelfHostedDeps): Surface {
  const caller = { workspaceId: deps.workspaceId, keyId: null };
  const linkTo = (arrival: LinkArrival, path: string, expiresAt: Date | null) => ({
    url: `${hostAddress(deps.publicUrl, arrival)}${path}`,
    expiresAt,
  });
  const endOf = deps.unsignedUrlEnd;
  return {
    mountPath: "",
    poolId: deps.poolId,
    executedGraph: false,
    hasCredits: false,
    authenticate(arrival) {
      if (deps.token !== null && !isToken(tokenIn(arrival.rawHeaders), deps.token)) {
        throw new Fault("unauthorized", "No usable credential. Send the token in Authorization: Bearer.");
      }
      return caller;
    },
    admit: () => undefined,
    ...(deps.folder === undefined ? {} : { folder: deps.folder }),
    links: {
      asset: (asset, arrival) => linkTo(arrival, contentPath(asset.id), endOf?.(asset) ?? null),
      output: ({ assetId, jobExpiresAt }, arrival) =>
        linkTo(arrival, contentPath(assetId), endOf === undefined ? null : jobExpiresAt),
    },
    content: async (asset, request) =>
      deps.assets.content(asset, request, {
        cacheControl: "private, no-cache",
        asAttachment: false,
        goneAs: "output_unavailable",
      }),
  };
}

// Decisions, section 1: either header; X-API-Key wins and never falls back; a header sent twice is not a credential.
function tokenIn(rawHeaders: readonly string[]): string | null {
  const valuesOf = (wanted: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted);
  const keys = valuesOf("x-api-key");
  if (keys.length > 0) return keys.length === 1 ? (keys[0] ?? null) : null;
  const [authorization = "", ...more] = valuesOf("authorization");
  return more.length > 0 ? null : (/^Bearer +([^\s]+)$/i.exec(authorization)?.[1] ?? null);
}

// Digests have a fixed length, so comparing them reveals nothing about the token's length.
function isToken(given: string | null, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== null && timingSafeEqual(digest(given), digest(right));
}

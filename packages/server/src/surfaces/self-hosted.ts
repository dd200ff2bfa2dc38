// The surface beside an application on one's own machine: one workspace, no authentication unless a token is set, no
// signed URLs (Spec, Output URL rule 3): bytes come from the content endpoint, and expiries are null.
import { createHash, timingSafeEqual } from "node:crypto";
import { contentPath, type LinkArrival, type Surface, type SurfaceFolder } from "../areas/workflows/index.ts";
import type { Asset, Assets } from "../capabilities/assets/index.ts";
import type { PoolId } from "../capabilities/jobs/index.ts";
import { Fault } from "../foundation/fault.ts";
import type { WorkspaceId } from "../foundation/ids.ts";
import { hostAddress, type PublicUrl } from "./host-address.ts";

export interface SelfHostedDeps {
  readonly workspaceId: WorkspaceId;
  // Null: no credential is asked for.
  readonly token: string | null;
  readonly assets: Pick<Assets, "content">;
  // For a TLS proxy on this machine; null: wherever the caller found us.
  readonly publicUrl: PublicUrl;
  readonly poolId: PoolId;
  // Absent: the application's files are not within reach.
  readonly folder?: SurfaceFolder;
  // How an unsigned URL tells its expiry: when what it leads to is given up. Absent: it tells none, and is null.
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

// Decisions, section 1: either header; X-API-Key wins and never falls back; a header sent twice is no credential.
function tokenIn(rawHeaders: readonly string[]): string | null {
  const valuesOf = (wanted: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted);
  const keys = valuesOf("x-api-key");
  if (keys.length > 0) return keys.length === 1 ? (keys[0] ?? null) : null;
  const [authorization = "", ...more] = valuesOf("authorization");
  return more.length > 0 ? null : (/^Bearer +([^\s]+)$/i.exec(authorization)?.[1] ?? null);
}

// Digests have one length, so comparing them tells nothing about the token's.
function isToken(given: string | null, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== null && timingSafeEqual(digest(given), digest(right));
}

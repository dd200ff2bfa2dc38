// An asset in its wire format.
import type { Asset as AssetBody, AssetPage } from "@atelier/contract";
import type { Asset, AssetsPage } from "../../../capabilities/assets/index.ts";
import type { Arrival } from "../../../foundation/http/area.ts";
import { assetUrls, pageLinks } from "../links.ts";
import type { Surface } from "../surface.ts";

export function presentAsset(surface: Surface, asset: Asset, arrival: Arrival): AssetBody {
  const link = surface.links.asset(asset, arrival);
  return {
    id: asset.id,
    hash: `blake3:${asset.hash}`,
    size_bytes: asset.size,
    content_type: asset.contentType,
    kind: asset.kind,
    file_path: asset.filePath,
    tags: [...asset.tags],
    created_at: asset.createdAt.toISOString(),
    url: link.url,
    url_expires_at: link.expiresAt?.toISOString() ?? null,
    expires_at: asset.expiresAt?.toISOString() ?? null,
    ...(asset.jobId === null ? {} : { job_id: asset.jobId }),
    urls: assetUrls(surface.mountPath, asset.id, { type: asset.servedType, size: asset.size }),
  };
}

export function presentAssetPage(
  surface: Surface,
  page: AssetsPage & { readonly limit: number },
  arrival: Arrival,
  query: URLSearchParams,
): AssetPage {
  return {
    data: page.assets.map((asset) => presentAsset(surface, asset, arrival)),
    ...pageLinks("assets", surface.mountPath, query, page.nextCursor),
    limit: page.limit,
  };
}

// Serves a thumbnail over HTTP. We made the bytes ourselves, but serve them as carefully as the original.
import { orNotFound } from "../../../foundation/fault.ts";
import type { BytesAnswer } from "../../../foundation/http/area.ts";
import { matchesIfNoneMatch } from "../../../foundation/http/etag.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { Asset } from "../asset.ts";
import { type ContentRequest, sandboxHeaders } from "../asset-content.ts";
import type { ThumbnailSide } from "./thumbnail-side.ts";
import { type Thumbnails, thumbnailType } from "./thumbnails.ts";

// The bytes never change. Only the caller's own cache may keep them, because access needs a credential.
const cacheControl = "private, max-age=86400";

export async function answerThumbnail(
  deps: { readonly blobs: Pick<Blobs, "open">; readonly thumbnails: Thumbnails },
  asset: Asset,
  side: ThumbnailSide,
  request: ContentRequest,
): Promise<BytesAnswer> {
  const hash = orNotFound(await deps.thumbnails.hashOf(asset, side), "This asset has no thumbnail.");
  const etag = `"${hash}"`;
  const validators = { etag, "cache-control": cacheControl, vary: "X-API-Key, Authorization" };
  if (matchesIfNoneMatch(request.headers["if-none-match"], etag)) return { status: 304, headers: validators };
  const opened = await deps.blobs.open(hash);
  if (opened === null) throw new Error(`the blob ${hash} of a thumbnail is missing`);
  return {
    status: 200,
    headers: {
      ...sandboxHeaders,
      ...validators,
      "content-type": thumbnailType,
      "content-length": String(opened.size),
    },
    body: opened.source,
  };
}

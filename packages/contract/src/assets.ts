// v2 assets: records with a UUID over blobs, which are keyed by a blake3 hash that the server computes. The public contract of
// v2 plus the decided links; url_expires_at is null on surfaces without signed URLs (self-hosted).
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { linkedPageOf } from "./pagination.ts";
import { entity, mediaTypePattern, nullable, Timestamp, Uuid, wordOf } from "./wire-values.ts";

export const BlobHash = Type.String({
  title: "BlobHash",
  description: "blake3: and 64 hexadecimal digits.",
  pattern: "^blake3:[0-9a-f]{64}$",
});

export const ContentUrls = entity("ContentUrls", "Related links, relative to the host.", {
  self: Type.String({ format: "uri-reference", description: "The asset." }),
  content: Type.String({ format: "uri-reference", description: "The bytes. Needs the caller's credential." }),
  thumbnail: Type.Optional(
    Type.String({
      format: "uri-reference",
      description: "A thumbnail. Needs the caller's credential. Absent if none can be made.",
    }),
  ),
});
export type ContentUrls = Static<typeof ContentUrls>;

export const Asset = entity("Asset", "A stored file.", {
  id: Uuid,
  hash: nullable(BlobHash, "The hash of the bytes; null until known."),
  size_bytes: Type.Integer({ minimum: 0, description: "Size in bytes." }),
  content_type: Type.String({ description: "The media type." }),
  kind: Type.Optional(
    wordOf(["image", "video", "audio", "text", "file", "latent"], {
      description: "The kind of file, detected from its bytes.",
    }),
  ),
  file_path: Type.Optional(nullable(Type.String(), "The name as given on upload.")),
  tags: Type.Optional(Type.Array(Type.String(), { description: "Its tags." })),
  created_new: Type.Optional(
    Type.Boolean({ description: "On creation only: false if the server already had the bytes." }),
  ),
  created_at: Timestamp,
  url: Type.String({
    format: "uri",
    description:
      "A signed URL of the bytes. It can be shared and works without a credential until url_expires_at. Self-hosted surfaces do not sign URLs: there it is the content endpoint, with normal authentication.",
  }),
  url_expires_at: nullable(Timestamp, "When url expires; null if it is not signed."),
  expires_at: Type.Optional(nullable(Timestamp, "When the asset is deleted; null or absent if never.")),
  job_id: Type.Optional(nullable(Uuid, "The job that made it. Absent for uploads.")),
  urls: ContentUrls,
});
export type Asset = Static<typeof Asset>;

export const AssetPage = linkedPageOf(Asset, "AssetPage", "One page of assets, newest first.");
export type AssetPage = Static<typeof AssetPage>;

// Null is the same as absent.
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Optional(nullable(schema, description));

const tags = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 128, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$" }), {
    maxItems: 64,
    description: "Tags, in printable characters.",
  }),
);
const seconds = Type.Integer({
  minimum: limits.assetExpiresInSecondsMin,
  maximum: limits.assetExpiresInSecondsMax,
});
const aboutSeconds = "Seconds to keep it. Can only extend the current expiry.";
const placement = { tags, expires_in: orNull(seconds, aboutSeconds) };

export const AssetUpload = entity("AssetUpload", "A multipart form, with its parts in any order.", {
  content_type: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: mediaTypePattern,
    description: "The media type.",
  }),
  file_path: Type.String({ minLength: 1, description: "A file name, or a path below a known root." }),
  expected_hash: Type.Optional(BlobHash),
  tags,
  expires_in: Type.Optional(Type.Integer({ ...seconds, description: aboutSeconds })),
  file: Type.String({ format: "binary", contentMediaType: "application/octet-stream", description: "The bytes." }),
});

export const AssetFromHash = entity("AssetFromHash", "A new asset from bytes the workspace already has.", {
  hash: BlobHash,
  file_path: orNull(Type.String({ minLength: 1 }), "The file name."),
  ...placement,
});

export const AssetTags = entity("AssetTags", "Tags to add and to remove. A tag in both lists is removed.", {
  add: tags,
  remove: tags,
});

export const AssetFromPath = entity("AssetFromPath", "A new record over a file that the application has already.", {
  file_path: Type.String({
    minLength: 1,
    description: "A file below input, output, temp or models in the application's folder.",
  }),
  content_type: orNull(
    Type.String({ minLength: 1, maxLength: 255, pattern: mediaTypePattern }),
    "The media type; by its name if absent.",
  ),
  expected_hash: orNull(BlobHash, "What the bytes must hash to."),
  ...placement,
});

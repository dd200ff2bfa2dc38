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
export type BlobHash = Static<typeof BlobHash>;

export const ContentUrls = entity("ContentUrls", "Where to go from here, relative to the host.", {
  self: Type.String({ format: "uri-reference", description: "The record." }),
  content: Type.String({ format: "uri-reference", description: "The bytes, under the caller's credential." }),
  thumbnail: Type.Optional(
    Type.String({
      format: "uri-reference",
      description: "A small picture of it, under the caller's credential; absent where none can be made.",
    }),
  ),
});
export type ContentUrls = Static<typeof ContentUrls>;

export const Asset = entity("Asset", "A stored file.", {
  id: Uuid,
  hash: nullable(BlobHash, "What the bytes hash to; null until it is known."),
  size_bytes: Type.Integer({ minimum: 0, description: "How many bytes it has." }),
  content_type: Type.String({ description: "The media type." }),
  kind: Type.Optional(
    wordOf(["image", "video", "audio", "text", "file", "latent"], {
      description: "What kind of thing it is, told by its bytes.",
    }),
  ),
  file_path: Type.Optional(nullable(Type.String(), "The name it was placed under, as given.")),
  tags: Type.Optional(Type.Array(Type.String(), { description: "The tags it was given." })),
  created_new: Type.Optional(
    Type.Boolean({ description: "On creation only: false when the bytes were already here." }),
  ),
  created_at: Timestamp,
  url: Type.String({
    format: "uri",
    description:
      "The bytes, by an address that carries its own rights: it can be shared, and works without credential until url_expires_at. On self-hosted surfaces, which sign nothing, the content endpoint under normal authentication.",
  }),
  url_expires_at: nullable(Timestamp, "When url stops working; null when it does not carry its own rights."),
  expires_at: Type.Optional(nullable(Timestamp, "When the record goes; null or absent: never.")),
  job_id: Type.Optional(nullable(Uuid, "The job that made it; absent for uploads.")),
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
    description: "Tags of printable characters.",
  }),
);
const seconds = Type.Integer({
  minimum: limits.assetExpiresInSecondsMin,
  maximum: limits.assetExpiresInSecondsMax,
});
const aboutSeconds = "Seconds to keep it; it only ever extends what is promised already.";
const placement = { tags, expires_in: orNull(seconds, aboutSeconds) };

export const AssetUpload = entity("AssetUpload", "A multipart form; its parts may come in any order.", {
  content_type: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: mediaTypePattern,
    description: "The media type.",
  }),
  file_path: Type.String({ minLength: 1, description: "A bare name, or a path below a known root." }),
  expected_hash: Type.Optional(BlobHash),
  tags,
  expires_in: Type.Optional(Type.Integer({ ...seconds, description: aboutSeconds })),
  file: Type.String({ format: "binary", contentMediaType: "application/octet-stream", description: "The bytes." }),
});
export type AssetUpload = Static<typeof AssetUpload>;

export const AssetFromHash = entity("AssetFromHash", "A new record over bytes the workspace has already.", {
  hash: BlobHash,
  file_path: orNull(Type.String({ minLength: 1 }), "The name to place it under."),
  ...placement,
});
export type AssetFromHash = Static<typeof AssetFromHash>;

export const AssetTags = entity("AssetTags", "Tags to add and to remove; one that is in both is removed.", {
  add: tags,
  remove: tags,
});
export type AssetTags = Static<typeof AssetTags>;

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
export type AssetFromPath = Static<typeof AssetFromPath>;

// An asset: a record with a UUID, owned by one workspace, over a blob keyed by its hash. Records never change, except
// that a repeated reference may lengthen their life, add tags, or make them the newest of their name.
import type { Id, WorkspaceId } from "../../foundation/ids.ts";
import type { AssetKind } from "./media-type.ts";

export const tagsMax = 64;

export type AssetId = Id<"asset">;
export type JobId = Id<"job">;

export interface Asset {
  readonly id: AssetId;
  readonly workspaceId: WorkspaceId;
  // 64 hexadecimal digits of BLAKE3.
  readonly hash: string;
  readonly size: number;
  // As declared by the uploader.
  readonly contentType: string;
  // Decided from the bytes. The only type we ever serve.
  readonly servedType: string;
  readonly kind: AssetKind;
  readonly filePath: string | null;
  readonly tags: readonly string[];
  readonly jobId: JobId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

// What a caller says about bytes that will become an asset.
export interface AssetInput {
  readonly contentType: string;
  readonly filePath: string | null;
  readonly tags: readonly string[];
  // Seconds to keep it. Null for the installation's default.
  readonly keepSeconds: number | null;
}

export interface StoredAsset {
  readonly asset: Asset;
  // False if an equal record existed already and is returned.
  readonly isNewRecord: boolean;
  // False if the workspace had these bytes already.
  readonly isNewContent: boolean;
}

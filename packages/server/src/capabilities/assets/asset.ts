// An asset: a record with a UUID, owned by one workspace, over a blob that is keyed by its hash. Records are never
// changed except that a repeated reference may lengthen their life and add tags, or make them the newest of their name.
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
  // As decided from the bytes; the only type that is ever served.
  readonly servedType: string;
  readonly kind: AssetKind;
  readonly filePath: string | null;
  readonly tags: readonly string[];
  readonly jobId: JobId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

// What a caller says about bytes that are to become an asset.
export interface AssetInput {
  readonly contentType: string;
  readonly filePath: string | null;
  readonly tags: readonly string[];
  // Seconds to keep it; null: as long as the installation keeps assets.
  readonly keepSeconds: number | null;
}

export interface StoredAsset {
  readonly asset: Asset;
  // False: an equal record was here already and is the answer.
  readonly isNewRecord: boolean;
  // False: the workspace had these bytes already.
  readonly isNewContent: boolean;
}

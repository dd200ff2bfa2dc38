// A resumable upload in progress.
import type { Id, WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId, AssetInput } from "../asset.ts";

export type UploadId = Id<"upload">;

export interface Upload extends AssetInput {
  readonly id: UploadId;
  readonly workspaceId: WorkspaceId;
  // Null if the client has not declared it yet.
  readonly length: number | null;
  readonly received: number;
  readonly expectedHash: string | null;
  // As the client sent it; returned unchanged.
  readonly metadata: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  // Set once it has become an asset.
  readonly assetId: AssetId | null;
  // As the client sent it: "partial", "final;" and the partial uploads, or null.
  readonly concat: string | null;
  // For a partial upload: the final upload that took over its bytes.
  readonly finalId: UploadId | null;
}

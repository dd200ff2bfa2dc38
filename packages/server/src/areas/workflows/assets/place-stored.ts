// The last step of everything that makes an asset: a file with a path is put there. The record stands before, so that a
// process that dies in between loses nothing: the file is written when the asset is next used. What cannot be placed is
// not kept either, unless it was here already.
import type { Assets, StoredAsset } from "../../../capabilities/assets/index.ts";
import type { Surface } from "../surface.ts";

export interface PlaceStoredDeps {
  readonly surface: Pick<Surface, "folder">;
  readonly assets: Pick<Assets, "remove">;
}

export async function placeStored({ surface, assets }: PlaceStoredDeps, stored: StoredAsset): Promise<void> {
  if (surface.folder === undefined) return;
  const { asset, isNewRecord } = stored;
  try {
    await surface.folder.put(asset);
  } catch (thrown) {
    if (isNewRecord) await assets.remove({ workspaceId: asset.workspaceId, assetId: asset.id }).catch(() => undefined);
    throw thrown;
  }
}

// The last step of everything that creates an asset: a file with a path is written there. The record exists first, so a process
// that dies in between loses nothing: the file is written when the asset is next used. An asset that cannot be placed is not
// kept, unless it existed already.
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

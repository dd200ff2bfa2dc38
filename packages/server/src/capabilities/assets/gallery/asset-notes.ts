// Notes on assets: one text per asset, seen by everyone in the workspace.
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId } from "../asset.ts";
import { findAsset } from "../asset-store.ts";
import { noSuchAsset } from "../remove-assets.ts";
import { deleteNote, findNote, putNote } from "./asset-note-store.ts";

export interface AssetNote {
  // Empty if there is no note.
  readonly text: string;
  readonly updatedAt: Date | null;
}

interface NotedAsset {
  readonly workspaceId: WorkspaceId;
  readonly assetId: AssetId | null;
}

export interface AssetNotes {
  // Both throw not_found.
  read(asset: NotedAsset): Promise<AssetNote>;
  // Empty text deletes the note.
  write(asset: NotedAsset, text: string): Promise<AssetNote>;
}

const none: AssetNote = { text: "", updatedAt: null };

export function createAssetNotes({ database, clock }: { database: Queryable; clock: Clock }): AssetNotes {
  const live = async ({ workspaceId, assetId }: NotedAsset) => {
    const asset = assetId && (await findAsset(database, { workspaceId, assetId, now: clock.now() }));
    if (!asset) throw noSuchAsset();
    return { workspaceId, assetId: asset.id };
  };
  return {
    read: async (asset) => (await findNote(database, await live(asset))) ?? none,
    async write(asset, text) {
      const noted = await live(asset);
      if (text === "") {
        await deleteNote(database, noted);
        return none;
      }
      const note = { text, updatedAt: clock.now() };
      if (!(await putNote(database, { ...noted, ...note }))) throw noSuchAsset();
      return note;
    },
  };
}

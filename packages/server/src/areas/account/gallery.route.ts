// The gallery: a summary of the workspace's assets, and notes on them.
import { type AssetNote as AssetNoteBody, type Gallery, operations, SetAssetNote } from "@atelier/contract";
import type { AssetNote, Assets, GallerySummary } from "../../capabilities/assets/index.ts";
import { requireScope } from "../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import type { AccountCaller } from "./account-caller.ts";

export interface GalleryDeps {
  readonly gallery: Pick<Assets, "summarize" | "notes">;
}

export function getGalleryRoute({ gallery }: GalleryDeps): Route<AccountCaller> {
  return route(operations.getGallery, async ({ caller: { principal } }) => {
    requireScope(principal, "workflows");
    return jsonAnswer(200, presentSummary(await gallery.summarize(principal.workspaceId)), fresh);
  });
}

export function getAssetNoteRoute({ gallery }: GalleryDeps): Route<AccountCaller> {
  return route(operations.getAssetNote, async ({ caller: { principal }, params }) => {
    requireScope(principal, "workflows");
    const noted = { workspaceId: principal.workspaceId, assetId: parseId<"asset">(params["assetId"] ?? "") };
    return jsonAnswer(200, presentNote(await gallery.notes.read(noted)), fresh);
  });
}

export function setAssetNoteRoute({ gallery }: GalleryDeps): Route<AccountCaller> {
  return route(operations.setAssetNote, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "workflows");
    const { text } = requireValid(SetAssetNote, await incoming.json());
    const noted = { workspaceId: principal.workspaceId, assetId: parseId<"asset">(incoming.params["assetId"] ?? "") };
    return jsonAnswer(200, presentNote(await gallery.notes.write(noted, text)), fresh);
  });
}

const fresh = { "cache-control": "no-store" } as const;

const presentNote = ({ text, updatedAt }: AssetNote): AssetNoteBody => ({
  text,
  updated_at: updatedAt?.toISOString() ?? null,
});

const presentSummary = ({ assets, bytes, boards, expiring }: GallerySummary): Gallery => ({
  assets,
  size_bytes: bytes,
  boards: boards.map((board) => ({
    name: board.name,
    tag: board.tag,
    assets: board.assets,
    cover_asset_id: board.coverAssetId,
  })),
  expiring: {
    assets: expiring.assets,
    first_at: expiring.firstAt?.toISOString() ?? null,
    before: expiring.before.toISOString(),
  },
});

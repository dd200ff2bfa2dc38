// What a workspace's gallery holds beyond its list of assets: true counts, boards, notes, and what will expire soon.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, Uuid } from "../wire-values.ts";

export const boardTagPrefix = "board:";

const count = Type.Integer({ minimum: 0 });

export const GalleryBoard = entity("GalleryBoard", "Assets that share a tag `board:{name}`.", {
  name: Type.String({ description: "The board's name. In the tag it is percent-encoded, since tags are ASCII." }),
  tag: Type.String({ description: "The tag to add, remove and filter by." }),
  assets: count,
  cover_asset_id: Type.Unsafe<string>({ ...Uuid, description: "Its newest asset." }),
});
export type GalleryBoard = Static<typeof GalleryBoard>;

export const Gallery = entity("Gallery", "A summary of the workspace's assets.", {
  assets: Type.Integer({ minimum: 0, description: "All of them, outputs and uploads." }),
  size_bytes: Type.Integer({ minimum: 0, description: "Their size together." }),
  boards: Type.Array(GalleryBoard, { description: "By name; at most 200." }),
  expiring: Type.Object(
    {
      assets: Type.Integer({ minimum: 0, description: "How many expire within 7 days; counted up to 10,000." }),
      first_at: nullable(Timestamp, "When the first of them expires."),
      before: Type.Unsafe<string>({ ...Timestamp, description: "7 days from now, for the list's `expires_before`." }),
    },
    { description: "Assets that are about to expire." },
  ),
});
export type Gallery = Static<typeof Gallery>;

const noteText = Type.String({ maxLength: 4000, description: "Plain text." });

export const AssetNote = entity("AssetNote", "What somebody wrote about an asset.", {
  text: Type.Unsafe<string>({ ...noteText, description: "Plain text. Empty if there is no note." }),
  updated_at: nullable(Timestamp, "When it was last changed."),
});
export type AssetNote = Static<typeof AssetNote>;

export const SetAssetNote = entity("SetAssetNote", "A note. Empty text deletes it.", { text: noteText });
export type SetAssetNote = Static<typeof SetAssetNote>;

// The gallery's own operations. Assets themselves are listed, tagged and deleted by v2.
import { Type } from "typebox";
import { AssetNote, Gallery, SetAssetNote } from "../../account/gallery.ts";
import { operationTable } from "../../operation.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, jsonBody, ofAccount } from "../answers.ts";

const asset = Type.Object({ assetId: Uuid });

export const galleryOperations = operationTable(ofAccount, {
  getGallery: {
    method: "GET",
    path: "/account/gallery",
    summary: "Summarize the workspace's assets",
    description: "How many there are, the boards they are on, and how many expire soon.",
    answers: { 200: answer(Gallery, "The summary.") },
  },
  getAssetNote: {
    method: "GET",
    path: "/account/assets/{assetId}/note",
    summary: "Get the note on an asset",
    params: asset,
    answers: { 200: answer(AssetNote, "The note.") },
  },
  setAssetNote: {
    method: "PUT",
    path: "/account/assets/{assetId}/note",
    summary: "Write a note on an asset",
    description: "Everyone in the workspace sees it. It is deleted with the asset.",
    params: asset,
    body: jsonBody(SetAssetNote),
    answers: { 200: answer(AssetNote, "The note.") },
  },
});

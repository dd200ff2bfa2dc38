// The gallery's own operations. Assets themselves are listed, tagged and deleted by v2.
import { Type } from "typebox";
import { AssetNote, Gallery, SetAssetNote } from "../../account/gallery.ts";
import { operationTable } from "../../operation.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, genericFaults, jsonBody } from "../answers.ts";
import { tags } from "../tags.ts";

const asset = Type.Object({ assetId: Uuid });
const read = genericFaults(401, 403, 429, 500, 503);

export const galleryOperations = operationTable({ tag: tags.account, access: "key" } as const, {
  getGallery: {
    method: "GET",
    path: "/account/gallery",
    summary: "Summarize the workspace's assets",
    description: "How many there are, the boards they are on, and how many expire soon.",
    answers: { 200: answer(Gallery, "The summary."), ...read },
  },
  getAssetNote: {
    method: "GET",
    path: "/account/assets/{assetId}/note",
    summary: "Get the note on an asset",
    params: asset,
    answers: { 200: answer(AssetNote, "The note."), ...read, ...genericFaults(404) },
  },
  setAssetNote: {
    method: "PUT",
    path: "/account/assets/{assetId}/note",
    summary: "Write a note on an asset",
    description: "Everyone in the workspace sees it. It is deleted with the asset.",
    params: asset,
    body: jsonBody(SetAssetNote),
    answers: { 200: answer(AssetNote, "The note."), ...read, ...genericFaults(400, 404, 413) },
  },
});

// v2 assets. Identical bytes need no second upload: ask by hash, then mint a record from the hash.
import { Type } from "typebox";
import { Asset, AssetFromHash, AssetFromPath, AssetPage, AssetTags, AssetUpload, BlobHash } from "../assets.ts";
import { WorkflowError } from "../error-bodies.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { wordOf } from "../wire-values.ts";
import { answer, bytesAnswers, emptyAnswer, jsonBody, rawAnswer, workflowFaults } from "./answers.ts";
import { tags } from "./tags.ts";

const id = Type.Object({
  id: Type.String({ format: "uuid", minLength: 1, description: "The asset's id; a malformed one is 404." }),
});
const callerFaults = workflowFaults(401, 403, 429, 500, 503);
const readFaults = { ...callerFaults, ...workflowFaults(404) };
const minted = answer(Asset, "A new record over new bytes.", [headerName.location]);
const known = answer(Asset, "The bytes were already here.", [headerName.location]);
const bytes = bytesAnswers("application/octet-stream");
const ifNoneMatch = { [headerName.ifNoneMatch]: Type.Optional(Type.String()) };

const common = { tag: tags.assets, access: "key" } as const;

export const workflowAssetOperations = operationTable(common, {
  uploadAsset: {
    method: "POST",
    path: "/api/v2/assets",
    summary: "Upload a file",
    description: "The server computes the hash; expected_hash is only compared. The asset can be used at once.",
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ description: "Accepted and ignored." })),
    }),
    body: { contentType: "multipart/form-data", schema: AssetUpload, required: true },
    answers: {
      200: known,
      201: minted,
      ...workflowFaults(400, 409, 413, 422),
      507: answer(WorkflowError, "storage_full: there is no space left.", [headerName.cacheControl]),
      ...callerFaults,
    },
  },
  createAssetFromHash: {
    method: "POST",
    path: "/api/v2/assets/from-hash",
    summary: "Make a record over bytes that are here already",
    body: jsonBody(AssetFromHash),
    answers: {
      200: answer(Asset, "An equal record was here already.", [headerName.location]),
      201: answer(Asset, "A new record.", [headerName.location]),
      ...workflowFaults(400, 413, 422),
      ...readFaults,
    },
  },
  createAssetFromPath: {
    method: "POST",
    path: "/api/v2/assets/from-path",
    summary: "Register a file that the application has already",
    description:
      "Only on a self-hosted surface that knows the application's folder. The bytes are read once and kept; output_unavailable when there is no such file.",
    body: jsonBody(AssetFromPath),
    answers: {
      200: known,
      201: minted,
      ...workflowFaults(400, 409, 413, 422),
      507: answer(WorkflowError, "storage_full: there is no space left.", [headerName.cacheControl]),
      ...readFaults,
    },
  },
  checkAssetByHash: {
    method: "HEAD",
    path: "/api/v2/assets/by-hash/{hash}",
    summary: "Ask whether bytes are here already",
    description: "Only bytes that the caller's workspace may use count.",
    params: Type.Object({ hash: BlobHash }),
    answers: {
      200: emptyAnswer("They are here."),
      401: emptyAnswer("No usable credential was sent."),
      404: emptyAnswer("They are not."),
      403: emptyAnswer("The caller may not do this."),
      429: emptyAnswer("Too many requests.", [headerName.retryAfter]),
      500: emptyAnswer("Something went wrong on our side."),
      503: emptyAnswer("It cannot be done now.", [headerName.retryAfter]),
    },
  },
  listAssets: {
    method: "GET",
    path: "/api/v2/assets",
    summary: "List the caller's assets",
    query: Type.Object({
      tag: Type.Optional(Type.String({ minLength: 1, description: "Only assets with this tag." })),
      kind: Type.Optional(
        wordOf(["image", "video", "audio", "text", "file", "latent"], { description: "Only assets of this kind." }),
      ),
      job: Type.Optional(Type.String({ minLength: 1, description: "Only what this job made." })),
      source: Type.Optional(
        wordOf(["upload", "output"], { description: "Only what was uploaded, or only what jobs made." }),
      ),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Only assets with this in their file_path; large and small letters are the same.",
        }),
      ),
      hash: Type.Optional(Type.String({ minLength: 1, description: "Only records over the bytes with this hash." })),
      created_from: Type.Optional(
        Type.String({ format: "date-time", description: "Only what was made then or later." }),
      ),
      created_before: Type.Optional(Type.String({ format: "date-time", description: "Only what was made before." })),
      ...PageQuery.properties,
    }),
    answers: { 200: answer(AssetPage, "One page of assets, newest first."), ...workflowFaults(400), ...callerFaults },
  },
  getAsset: {
    method: "GET",
    path: "/api/v2/assets/{id}",
    summary: "Resolve an asset to a fresh URL",
    params: id,
    answers: { 200: answer(Asset, "The asset, with a fresh url."), ...readFaults },
  },
  changeAssetTags: {
    method: "PATCH",
    path: "/api/v2/assets/{id}",
    summary: "Add or remove tags of an asset",
    description: "Can be repeated. Nothing else of a record ever changes.",
    params: id,
    body: jsonBody(AssetTags),
    answers: { 200: answer(Asset, "The asset with its tags."), ...workflowFaults(400, 413, 422), ...readFaults },
  },
  deleteAsset: {
    method: "DELETE",
    path: "/api/v2/assets/{id}",
    summary: "Delete an asset",
    description: "Removes the record; the bytes stay while another record needs them.",
    params: id,
    answers: { 204: emptyAnswer("It is gone."), ...workflowFaults(409), ...readFaults },
  },
  getAssetContent: {
    method: "GET",
    path: "/api/v2/assets/{id}/content",
    summary: "Read an asset's bytes",
    description: "Redirects to a signed address where the surface signs; otherwise serves the bytes.",
    params: id,
    headers: Type.Object({ [headerName.range]: Type.Optional(Type.String()), ...ifNoneMatch }),
    answers: {
      ...bytes,
      302: emptyAnswer("A fresh signed address; do not send the credential there.", [headerName.location]),
      ...workflowFaults(416),
      ...readFaults,
    },
  },
  getAssetThumbnail: {
    method: "GET",
    path: "/api/v2/assets/{id}/thumbnail",
    summary: "Read a small picture of an asset",
    description: "404 when no picture can be made of it.",
    params: id,
    query: Type.Object({
      size: Type.Optional(wordOf(["128", "512"], { default: "512", description: "The longer side in pixels." })),
    }),
    headers: Type.Object(ifNoneMatch),
    answers: {
      304: bytes[304],
      200: rawAnswer("image/*", "The picture.", [headerName.cacheControl, headerName.etag]),
      ...workflowFaults(400),
      ...readFaults,
    },
  },
});

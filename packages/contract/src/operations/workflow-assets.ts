// v2 assets. Identical bytes need no second upload: ask by hash, then mint a record from the hash.
import { Type } from "typebox";
import { Asset, AssetFromHash, AssetFromPath, AssetPage, AssetTags, AssetUpload, BlobHash } from "../assets.ts";
import { WorkflowError } from "../error-bodies.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { wordOf } from "../wire-values.ts";
import { answer, bytesAnswers, emptyAnswer, jsonBody, rawAnswer, workflowFault, workflowFaults } from "./answers.ts";
import { tags } from "./tags.ts";

const id = Type.Object({
  id: Type.String({ format: "uuid", minLength: 1, description: "The asset's id. A malformed id returns 404." }),
});
const minted = answer(Asset, "A new asset with new bytes.", [headerName.location]);
const known = answer(Asset, "The server already had these bytes.", [headerName.location]);
const bytes = bytesAnswers("application/octet-stream");
const ifNoneMatch = { [headerName.ifNoneMatch]: Type.Optional(Type.String()) };

const common = { tag: tags.assets, access: "key", refusals: workflowFault } as const;

export const workflowAssetOperations = operationTable(common, {
  uploadAsset: {
    method: "POST",
    path: "/api/v2/assets",
    summary: "Upload a file",
    description: "The server computes the hash and compares it with expected_hash. The asset can be used immediately.",
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ description: "Accepted and ignored." })),
    }),
    body: { contentType: "multipart/form-data", schema: AssetUpload, required: true },
    answers: {
      200: known,
      201: minted,
      507: answer(WorkflowError, "storage_full: the server is out of disk space.", [headerName.cacheControl]),
      ...workflowFaults(409, 422),
    },
  },
  createAssetFromHash: {
    method: "POST",
    path: "/api/v2/assets/from-hash",
    summary: "Create an asset from a file the server already has",
    body: jsonBody(AssetFromHash),
    answers: {
      200: answer(Asset, "An identical asset already exists.", [headerName.location]),
      201: answer(Asset, "A new asset.", [headerName.location]),
      ...workflowFaults(404, 422),
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
      507: answer(WorkflowError, "storage_full: the server is out of disk space.", [headerName.cacheControl]),
      ...workflowFaults(404, 409, 422),
    },
  },
  checkAssetByHash: {
    method: "HEAD",
    path: "/api/v2/assets/by-hash/{hash}",
    summary: "Check whether the server already has a file",
    description: "Only finds files that the caller's workspace may use.",
    params: Type.Object({ hash: BlobHash }),
    answers: {
      200: emptyAnswer("The server has the file."),
      401: emptyAnswer("The credential is missing or invalid."),
      404: emptyAnswer("The server does not have the file."),
      403: emptyAnswer("The caller is not allowed to do this."),
      429: emptyAnswer("Too many requests.", [headerName.retryAfter]),
      500: emptyAnswer("The server failed."),
      503: emptyAnswer("The service is unavailable right now.", [headerName.retryAfter]),
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
      job: Type.Optional(Type.String({ minLength: 1, description: "Only outputs of this job." })),
      source: Type.Optional(wordOf(["upload", "output"], { description: "Only uploads, or only job outputs." })),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Only assets whose file_path contains this, ignoring case.",
        }),
      ),
      hash: Type.Optional(Type.String({ minLength: 1, description: "Only assets with this content hash." })),
      created_from: Type.Optional(
        Type.String({ format: "date-time", description: "Only assets created at or after this time." }),
      ),
      created_before: Type.Optional(
        Type.String({ format: "date-time", description: "Only assets created before this time." }),
      ),
      expires_before: Type.Optional(
        Type.String({ format: "date-time", description: "Only assets that expire before this time." }),
      ),
      ...PageQuery.properties,
    }),
    answers: { 200: answer(AssetPage, "One page of assets, newest first.") },
  },
  getAsset: {
    method: "GET",
    path: "/api/v2/assets/{id}",
    summary: "Resolve an asset to a fresh URL",
    params: id,
    answers: { 200: answer(Asset, "The asset with a fresh url.") },
  },
  changeAssetTags: {
    method: "PATCH",
    path: "/api/v2/assets/{id}",
    summary: "Add tags to or remove tags from an asset",
    description: "Safe to repeat. Nothing else about an asset ever changes.",
    params: id,
    body: jsonBody(AssetTags),
    answers: { 200: answer(Asset, "The asset with its tags."), ...workflowFaults(422) },
  },
  deleteAsset: {
    method: "DELETE",
    path: "/api/v2/assets/{id}",
    summary: "Delete an asset",
    description: "Deletes the asset. The bytes are kept while another asset needs them.",
    params: id,
    answers: { 204: emptyAnswer("Deleted."), ...workflowFaults(409) },
  },
  getAssetContent: {
    method: "GET",
    path: "/api/v2/assets/{id}/content",
    summary: "Download an asset",
    description: "Redirects to a signed URL if this surface signs URLs; otherwise serves the bytes.",
    params: id,
    headers: Type.Object({ [headerName.range]: Type.Optional(Type.String()), ...ifNoneMatch }),
    answers: {
      ...bytes,
      302: emptyAnswer("A fresh signed URL. Do not send the credential there.", [headerName.location]),
      ...workflowFaults(416),
    },
  },
  getAssetThumbnail: {
    method: "GET",
    path: "/api/v2/assets/{id}/thumbnail",
    summary: "Get a thumbnail of an asset",
    description: "Returns 404 if no thumbnail can be made.",
    params: id,
    query: Type.Object({
      size: Type.Optional(wordOf(["128", "512"], { default: "512", description: "The longer side, in pixels." })),
    }),
    headers: Type.Object(ifNoneMatch),
    answers: { 304: bytes[304], 200: rawAnswer("image/*", "The image.", [headerName.cacheControl, headerName.etag]) },
  },
});

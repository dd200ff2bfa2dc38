// Bytes behind signed addresses. Clients never build these: assets, storage tickets and publishing hand them out.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { UploadedArchive } from "../node-publishing.ts";
import { operationTable } from "../operation.ts";
import { Uuid } from "../wire-values.ts";
import { answer, bytesAnswers, bytesBody, emptyAnswer, genericFault, genericFaults } from "./answers.ts";
import { tags } from "./tags.ts";

const signature = {
  e: Type.String({ pattern: "^[1-9][0-9]{9}$", description: "When the address stops working, in Unix seconds." }),
  k: Type.String({ minLength: 1, maxLength: 64, description: "Which key signed it." }),
  s: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$", description: "The signature." }),
};
const ranged = Type.Object({
  [headerName.range]: Type.Optional(Type.String()),
  [headerName.ifNoneMatch]: Type.Optional(Type.String()),
});
const outside = {
  ...genericFault[400],
  description: "The range lies outside the bytes.",
  headers: [headerName.contentRange],
};

const atTheStore = emptyAnswer(
  "Where the operator lets callers read at the store: its own address, for some seconds. Send no credential there.",
  [headerName.location],
);

const common = { tag: tags.content, access: "public" } as const;

export const contentOperations = operationTable(common, {
  getSignedContent: {
    method: "GET",
    path: "/c/{assetId}",
    summary: "Read an asset's bytes by a signed address",
    description: "The address is the right: no credential is asked for. Every failure of the signature looks alike.",
    params: Type.Object({ assetId: Uuid }),
    query: Type.Object({
      ...signature,
      d: Type.Optional(Type.Literal("attachment", { description: "Makes browsers save the bytes." })),
    }),
    headers: ranged,
    answers: { ...bytesAnswers("application/octet-stream"), 302: atTheStore, ...genericFaults(403, 500), 416: outside },
  },
  getSignedUpload: {
    method: "GET",
    path: "/c/uploads/{uploadId}",
    summary: "Read what was put at a signed address",
    description: "The download_url of a storage ticket. It works once the bytes have been put to the upload_url.",
    params: Type.Object({ uploadId: Uuid }),
    query: Type.Object(signature),
    headers: ranged,
    answers: { ...bytesAnswers("application/octet-stream"), 302: atTheStore, ...genericFaults(403, 500), 416: outside },
  },
  getNodeArchive: {
    method: "GET",
    path: "/c/archives/{versionId}",
    summary: "Download a node's archive",
    description: "The downloadUrl of a version. What everybody may install needs no signature.",
    params: Type.Object({ versionId: Uuid }),
    query: Type.Object({
      e: Type.Optional(signature.e),
      k: Type.Optional(signature.k),
      s: Type.Optional(signature.s),
      node: Type.Optional(Type.String({ description: "On a mirror: the node of the upstream registry." })),
      version: Type.Optional(Type.String({ description: "On a mirror: its version." })),
    }),
    headers: ranged,
    answers: {
      ...bytesAnswers("application/zip", "The archive.", "Some of its bytes."),
      302: atTheStore,
      ...genericFaults(403, 404, 500, 503),
      416: outside,
    },
  },
  putSignedUpload: {
    method: "PUT",
    path: "/c/uploads/{uploadId}",
    summary: "Upload bytes to a signed address",
    description: "For storage tickets and node archives. The content type is not part of the signature.",
    params: Type.Object({ uploadId: Uuid }),
    query: Type.Object(signature),
    body: bytesBody("application/octet-stream"),
    answers: { 200: answer(UploadedArchive, "The bytes are stored."), ...genericFaults(400, 403, 409, 413, 500, 503) },
  },
});

// The operations of the tus protocol (1.0.0: core, creation, expiration, termination, checksum, concatenation), as the OpenAPI
// document and the route table list them. tus is a separate protocol next to v2's JSON: its errors are plain text and its
// details travel in headers, which tus.io explains.
import { type TSchema, Type } from "typebox";
import { headerMeanings, headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { bytesBody, emptyAnswer, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const params = Type.Object({ id: Type.String({ format: "uuid", minLength: 1, description: "The upload's id." }) });
const { cacheControl, location, retryAfter, tusResumable, tusVersion } = headerName;
const { uploadExpires, uploadLength, uploadMetadata, uploadOffset } = headerName;
const { uploadDeferLength, uploadConcat, uploadChecksum } = headerName;
// headers.ts describes the protocol's headers; every request names the version.
const request = (headers: Readonly<Record<string, TSchema>> = {}) =>
  Type.Object({ [tusResumable]: headerMeanings[tusResumable].schema, ...headers });
const optional = (...names: readonly (keyof typeof headerMeanings)[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(headerMeanings[name].schema)]));
const state = [tusResumable, uploadOffset, uploadLength, uploadDeferLength, uploadExpires, cacheControl, location];
// Refusals from before tus takes over (no credential, too many requests) name the version too.
const refusal = (description: string, headers: readonly string[] = []) =>
  rawAnswer("text/plain", description, [cacheControl, tusResumable, ...headers]);
const refusals = {
  400: refusal("A protocol header is missing or invalid."),
  401: refusal("The credential is missing or invalid."),
  403: refusal("The caller is not allowed to do this."),
  412: refusal("Tus-Resumable is missing or names an unsupported version.", [tusVersion]),
  429: refusal("Too many requests, or the quota is used up.", [retryAfter]),
  500: refusal("The server failed."),
  503: refusal("The service is unavailable right now.", [retryAfter]),
};
const onUpload = { ...refusals, 404: refusal("The upload does not exist or has expired.") };

const common = { tag: tags.assets, access: "key" } as const;

export const workflowUploadOperations = operationTable(common, {
  createUpload: {
    method: "POST",
    path: "/api/v2/uploads",
    summary: "Create a resumable upload",
    description:
      "tus 1.0.0, creation, creation-defer-length and concatenation. One of Upload-Length, Upload-Defer-Length: 1 and Upload-Concat: final;… is required. A partial upload needs no metadata and does not become an asset; a final one joins the partial uploads it lists, in that order. For all others, Upload-Metadata contains file_path (or filename) and optionally content_type (or filetype; guessed from the name if missing), expected_hash, expires_in and tags (comma-separated).",
    headers: request(optional(uploadLength, uploadDeferLength, uploadConcat, uploadMetadata)),
    answers: {
      201: emptyAnswer("Send the bytes to Location within 24 hours.", state),
      404: refusal("A listed partial upload does not exist or has expired."),
      409: refusal("A listed partial upload is incomplete or belongs to another final upload."),
      413: refusal("The upload is too large."),
      422: refusal("The metadata is invalid."),
      460: refusal("The joined bytes do not match expected_hash. The upload was discarded."),
      507: refusal("The server is out of disk space."),
      ...refusals,
    },
  },
  getUploadOffset: {
    method: "HEAD",
    path: "/api/v2/uploads/{id}",
    summary: "Get the offset of a resumable upload",
    description:
      "tus 1.0.0. Upload-Offset says where to continue. Once all bytes have arrived, Location points to the asset.",
    params,
    headers: request(),
    answers: {
      200: emptyAnswer("Upload-Offset and Upload-Length.", [...state, uploadMetadata, uploadConcat]),
      ...onUpload,
    },
  },
  appendToUpload: {
    method: "PATCH",
    path: "/api/v2/uploads/{id}",
    summary: "Upload a chunk of a resumable upload",
    description:
      "tus 1.0.0, creation-defer-length and checksum. Send Upload-Length if the upload was created without it. With Upload-Checksum, the chunk is accepted completely or not at all. Once all bytes have arrived, Location points to the asset.",
    params,
    headers: request({
      [uploadOffset]: headerMeanings[uploadOffset].schema,
      ...optional(uploadLength, uploadChecksum),
    }),
    body: bytesBody("application/offset+octet-stream"),
    answers: {
      204: emptyAnswer("Upload-Offset says how many bytes have arrived.", state),
      409: refusal("The upload is at another offset, or another request is writing to it."),
      413: refusal("The request sent more bytes than announced."),
      415: refusal("The content type is not application/offset+octet-stream."),
      460: refusal(
        "The bytes do not match the request's checksum, and none were kept. Or the complete upload does not match expected_hash, and it was discarded.",
      ),
      507: refusal("The server is out of disk space."),
      ...onUpload,
    },
  },
  deleteUpload: {
    method: "DELETE",
    path: "/api/v2/uploads/{id}",
    summary: "Abort a resumable upload",
    description: "tus 1.0.0, termination. An asset already created from it is kept.",
    params,
    headers: request(),
    answers: { 204: emptyAnswer("Deleted.", [tusResumable]), ...onUpload },
  },
});

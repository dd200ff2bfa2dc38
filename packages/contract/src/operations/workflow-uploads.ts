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
  400: refusal("A header of the protocol is missing or wrong."),
  401: refusal("No usable credential was sent."),
  403: refusal("The caller may not do this."),
  412: refusal("Tus-Resumable is missing or names another version.", [tusVersion]),
  429: refusal("Too many requests, or the quota is used up.", [retryAfter]),
  500: refusal("Something went wrong on our side."),
  503: refusal("It cannot be done now.", [retryAfter]),
};
const onUpload = { ...refusals, 404: refusal("There is no such upload, or it expired.") };

const common = { tag: tags.assets, access: "key" } as const;

export const workflowUploadOperations = operationTable(common, {
  createUpload: {
    method: "POST",
    path: "/api/v2/uploads",
    summary: "Announce a resumable upload",
    description:
      "tus 1.0.0, creation, creation-defer-length and concatenation. One of Upload-Length, Upload-Defer-Length: 1 and Upload-Concat: final;… is required. A partial upload needs no metadata and becomes no asset; a final one takes over the bytes of the partial uploads that it names, in their order. Else Upload-Metadata holds file_path (or filename), and optionally content_type (or filetype; else by the name), expected_hash, expires_in and tags (separated by commas).",
    headers: request(optional(uploadLength, uploadDeferLength, uploadConcat, uploadMetadata)),
    answers: {
      201: emptyAnswer("Send the bytes to Location within 24 hours.", state),
      404: refusal("A partial upload that was named does not exist, or expired."),
      409: refusal("A partial upload that was named is not complete, or is part of another final one."),
      413: refusal("The upload is above the cap."),
      422: refusal("The metadata cannot be accepted."),
      460: refusal("The joined bytes do not have the hash that was announced; the upload is gone."),
      507: refusal("There is no space left."),
      ...refusals,
    },
  },
  getUploadOffset: {
    method: "HEAD",
    path: "/api/v2/uploads/{id}",
    summary: "Ask how much of a resumable upload has come",
    description: "tus 1.0.0. Upload-Offset says where to go on; Location names the asset once all bytes have come.",
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
    summary: "Send bytes of a resumable upload",
    description:
      "tus 1.0.0, creation-defer-length and checksum. Upload-Length says the length of an upload that was announced without it. With Upload-Checksum the request counts as a whole or not at all. Location names the asset once all bytes have come.",
    params,
    headers: request({
      [uploadOffset]: headerMeanings[uploadOffset].schema,
      ...optional(uploadLength, uploadChecksum),
    }),
    body: bytesBody("application/offset+octet-stream"),
    answers: {
      204: emptyAnswer("Upload-Offset says how much has come.", state),
      409: refusal("The upload is not at this offset, or is being written to."),
      413: refusal("More bytes came than were announced."),
      415: refusal("The content type is not application/offset+octet-stream."),
      460: refusal(
        "The bytes do not have the checksum of the request, and none of them were kept; or, with the last ones, not the hash that was announced: then the upload is gone.",
      ),
      507: refusal("There is no space left."),
      ...onUpload,
    },
  },
  deleteUpload: {
    method: "DELETE",
    path: "/api/v2/uploads/{id}",
    summary: "Give up a resumable upload",
    description: "tus 1.0.0, termination. An asset that came of it stays.",
    params,
    headers: request(),
    answers: { 204: emptyAnswer("It is gone.", [tusResumable]), ...onUpload },
  },
});

// The storage hand-off: large images go to the asset store first, and the partner request carries their URL.
import { type Static, Type } from "typebox";
import { entity, mediaTypePattern, Timestamp } from "../wire-values.ts";

export const StorageRequest = entity("StorageRequest", "A file to be uploaded.", {
  file_name: Type.String({ minLength: 1, maxLength: 255, description: "The file's name." }),
  content_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: mediaTypePattern,
      description: "The media type of the file. Guessed from the file name if missing.",
    }),
  ),
  file_hash: Type.Optional(
    Type.String({ pattern: "^[0-9a-fA-F]{64}$", description: "SHA-256 of the bytes. A known file needs no upload." }),
  ),
});

export const StorageTicket = entity("StorageTicket", "Where to upload the file and where to download it.", {
  upload_url: Type.String({ format: "uri", description: "PUT the bytes here." }),
  download_url: Type.String({
    format: "uri",
    description: "Where the bytes are after the upload. Pass this to the partner.",
  }),
  expires_at: Timestamp,
  existing_file: Type.Boolean({ description: "true: the server already has the bytes, so no upload is needed." }),
});
export type StorageTicket = Static<typeof StorageTicket>;

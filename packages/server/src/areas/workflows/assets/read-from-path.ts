// The body of createAssetFromPath. Unknown members are ignored.
import { type AssetInput, requireContentType, requireFilePath } from "../../../capabilities/assets/index.ts";
import { wrongField } from "../../../foundation/fault.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { requireHashText } from "./asset-fields.ts";
import { readPlacement } from "./read-from-hash.ts";

export interface FromPath extends Pick<AssetInput, "tags" | "keepSeconds"> {
  readonly filePath: string;
  readonly contentType: string | null;
  readonly expectedHash: string | null;
}

export function readFromPath(body: unknown): FromPath {
  if (!isRecord(body)) throw wrongField("The body", "must be a JSON object");
  const { file_path: filePath, content_type: contentType = null, expected_hash: expectedHash = null } = body;
  if (typeof filePath !== "string") throw wrongField("file_path", "must be a string");
  if (contentType !== null && typeof contentType !== "string") throw wrongField("content_type", "must be a string");
  if (expectedHash !== null && typeof expectedHash !== "string") throw wrongField("expected_hash", "must be a string");
  return {
    filePath: requireFilePath(filePath),
    contentType: contentType === null ? null : requireContentType(contentType),
    expectedHash: expectedHash === null ? null : requireHashText("expected_hash", expectedHash),
    ...readPlacement(body),
  };
}

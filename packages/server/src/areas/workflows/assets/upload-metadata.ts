// The Upload-Metadata header of tus: comma-separated pairs of a key and its base64 value. Clients in the wild call the name
// `filename` and the type `filetype`; both spellings are accepted, and ours wins.
import { contentTypeOf } from "../../../capabilities/assets/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type AssetFields, collectAssetFields } from "./asset-fields.ts";

export function readUploadMetadata(header: string | undefined): ReturnType<AssetFields["finish"]> {
  const pairs = readPairs(header ?? "");
  const fields = collectAssetFields();
  const name = pairs.get("file_path") ?? pairs.get("filename");
  const type = pairs.get("content_type") ?? pairs.get("filetype");
  // Not every client sends the type; then it follows from the name.
  const typeByName = name === undefined ? undefined : contentTypeOf(name);
  const spellings = [
    ["file_path", name],
    ["content_type", type === undefined || type === "" ? typeByName : type],
    ["expected_hash", pairs.get("expected_hash")],
    ["expires_in", pairs.get("expires_in")],
  ] as const;
  for (const [name, value] of spellings) if (value !== undefined) fields.take(name, value);
  for (const tag of (pairs.get("tags") ?? "").split(",")) if (tag.trim() !== "") fields.take("tags", tag.trim());
  return fields.finish();
}

const pairPattern = /^([^\s,]+)(?: ([A-Za-z0-9+/]*={0,2}))?$/;

function readPairs(header: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const part of header.split(",")) {
    if (part.trim() === "") continue;
    const [, key, value = ""] = pairPattern.exec(part.trim()) ?? [];
    if (key === undefined || pairs.has(key)) throw new Fault("invalid_request", "Upload-Metadata is malformed.");
    pairs.set(key, decodeText(value));
  }
  return pairs;
}

function decodeText(base64: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));
  } catch (cause) {
    throw new Fault("invalid_request", "A value in Upload-Metadata is not valid UTF-8.", { cause });
  }
}

// The body of createAssetFromHash. Unknown members are ignored.
import { type AssetInput, requireFilePath, tagsMax } from "../../../capabilities/assets/index.ts";
import { wrongField } from "../../../foundation/fault.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { requireHashText, requireKeepSeconds, requireTag } from "./asset-fields.ts";

export function readFromHash(body: unknown): Omit<AssetInput, "contentType"> & { readonly hash: string } {
  if (!isRecord(body)) throw wrongField("The body", "must be a JSON object");
  const { hash, file_path: filePath = null } = body;
  if (typeof hash !== "string") throw wrongField("hash", "must be a string");
  if (filePath !== null && typeof filePath !== "string") throw wrongField("file_path", "must be a string");
  return {
    hash: requireHashText("hash", hash),
    filePath: filePath === null ? null : requireFilePath(filePath),
    ...readPlacement(body),
  };
}

// The body of changeAssetTags.
export function readTagChange(body: unknown): { readonly add: readonly string[]; readonly remove: readonly string[] } {
  if (!isRecord(body)) throw wrongField("The body", "must be a JSON object");
  return { add: readTags(body, "add"), remove: readTags(body, "remove") };
}

function readTags(body: JsonRecord, name: string): string[] {
  const tags = memberOf(body, name) ?? [];
  if (!Array.isArray(tags) || tags.length > tagsMax)
    throw wrongField(name, `must be a list of at most ${tagsMax} tags`);
  return tags.map((tag: unknown) => requireTag(typeof tag === "string" ? tag : ""));
}

export function readPlacement(body: JsonRecord): Pick<AssetInput, "tags" | "keepSeconds"> {
  const { expires_in: keepSeconds = null } = body;
  if (keepSeconds !== null && typeof keepSeconds !== "number") throw wrongField("expires_in", "must be a number");
  return {
    tags: readTags(body, "tags"),
    keepSeconds: keepSeconds === null ? null : requireKeepSeconds(keepSeconds),
  };
}

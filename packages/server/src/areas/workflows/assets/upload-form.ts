// The upload form of v2: the file and its description.
import type { Clock } from "../../../foundation/clock.ts";
import { openForm, type UploadForm } from "../../../foundation/http/body/coming-form.ts";
import { type AssetFields, collectAssetFields } from "./asset-fields.ts";

export function openUploadForm(
  request: Parameters<typeof openForm>[0],
  options: { readonly fileBytesMax: number; readonly clock: Clock },
): UploadForm<AssetFields> {
  return openForm(request, { ...options, filePart: "file", fields: collectAssetFields() });
}

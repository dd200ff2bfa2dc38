// Where an asset's bytes are shown from: its signed URL or, on a surface without signed URLs, the content endpoint, which a
// browser can only open directly if no credential is required.
import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { configQuery } from "../../api/config.ts";
import { useObjectUrl } from "../../ui/thumb.tsx";

export function useSource(asset: Asset | undefined): string | "gone" | null {
  const { data: config } = useQuery(configQuery);
  const isSigned = asset !== undefined && asset.url_expires_at !== null;
  const isOpen = config?.auth === "none";
  const fetched = useObjectUrl(asset === undefined || isSigned || isOpen || !config ? null : asset.urls.content);
  if (asset === undefined || config === undefined) return null;
  if (isSigned) return asset.url;
  return isOpen ? asset.urls.content : fetched;
}

// Where the bytes of an asset are shown from: its signed address; on a surface that signs nothing, the content endpoint,
// which a browser opens by itself only where no credential is asked for.
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

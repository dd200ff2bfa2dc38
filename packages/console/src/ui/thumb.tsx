// A picture that needs the credential: fetched with it, shown from memory. The box has its size before the picture arrives.
import { type ReactNode, useCallback, useSyncExternalStore } from "react";
import { holdBytesAt, urlAt } from "./object-urls.ts";

// A URL for an <img> with the bytes at this path; null until they are loaded, "gone" if they are not available.
export function useObjectUrl(path: string | null): string | "gone" | null {
  const subscribe = useCallback(
    (notify: () => void) => (path === null ? () => undefined : holdBytesAt(path, notify)),
    [path],
  );
  return useSyncExternalStore(subscribe, () => (path === null ? null : urlAt(path)));
}

export function Thumb(props: {
  readonly assetId: string;
  readonly alt: string;
  readonly size?: number;
  // The entry of a list whose picture it is: it moves to the entry's page.
  readonly entry?: string;
}): ReactNode {
  const url = useObjectUrl(`/api/v2/assets/${props.assetId}/thumbnail`);
  const size = props.size ?? 40;
  return (
    <span
      data-entry={props.entry}
      style={{
        display: "inline-grid",
        placeItems: "center",
        width: size,
        height: size,
        flex: "none",
        overflow: "hidden",
        borderRadius: "0.4rem",
        background: "var(--sunken)",
      }}
    >
      {url !== null && url !== "gone" ? (
        <img src={url} alt={props.alt} style={{ width: "100%", height: "100%", objectFit: "cover" }} />
      ) : null}
    </span>
  );
}

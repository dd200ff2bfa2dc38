// A picture behind the credential: fetched with it, shown from memory. The box has its size before the picture is there.
import { type ReactNode, useEffect, useState } from "react";
import { authorisedFetch } from "../api/session.ts";

const kept = new Map<string, string>();
const keptMax = 600;

// The address of the bytes at this path, for an <img>; null until they are there, "gone" when they are not to be had.
export function useObjectUrl(path: string | null): string | "gone" | null {
  const [url, setUrl] = useState<string | "gone" | null>(() => (path === null ? null : (kept.get(path) ?? null)));
  useEffect(() => {
    if (path === null) return setUrl(null);
    const known = kept.get(path);
    if (known !== undefined) return setUrl(known);
    const control = new AbortController();
    setUrl(null);
    authorisedFetch(path, { signal: control.signal })
      .then(async (response) => {
        if (!response.ok) return setUrl("gone");
        const made = URL.createObjectURL(await response.blob());
        remember(path, made);
        setUrl(made);
      })
      .catch(() => {
        if (!control.signal.aborted) setUrl("gone");
      });
    return () => control.abort();
  }, [path]);
  return url;
}

// The oldest goes first; a picture that is on the page keeps its bytes until it leaves.
function remember(path: string, url: string): void {
  kept.set(path, url);
  const [oldest] = kept;
  if (kept.size <= keptMax || oldest === undefined) return;
  kept.delete(oldest[0]);
  setTimeout(() => URL.revokeObjectURL(oldest[1]), 60_000);
}

export function Thumb(props: { readonly assetId: string; readonly alt: string; readonly size?: number }): ReactNode {
  const url = useObjectUrl(`/api/v2/assets/${props.assetId}/thumbnail`);
  const size = props.size ?? 40;
  return (
    <span
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

// One picture, video or sound. Its URL is on our own origins or in this page's memory: nothing is requested from other hosts.

import { Download, ExternalLink, FileBox } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { shared } from "#strings/shared";
import { uiViewers as words } from "#strings/ui/viewers";
import { buttonClass } from "../button.tsx";
import { formatBytes } from "../figures.tsx";
import type { MediaKind } from "./found-media.ts";
import { Film, Sound } from "./players.tsx";
import styles from "./viewers.module.css";

const attemptsMax = 3;

export function MediaView(props: {
  readonly src: string;
  readonly kind: MediaKind;
  readonly alt: string;
  readonly name: string;
  readonly bytes?: number | undefined;
}): ReactNode {
  const { src, kind, alt, name } = props;
  const [isBroken, setBroken] = useState(false);
  const [attempt, setAttempt] = useState(1);
  if (isBroken || kind === "file")
    return (
      <div className={styles.fileBox}>
        <FileBox aria-hidden="true" />
        <div>
          <strong>{name}</strong>
          <div>{isBroken ? words.notShown : formatBytes(props.bytes)}</div>
        </div>
        <a className={buttonClass({ small: true })} href={src} download={name}>
          <Download aria-hidden="true" />
          {shared.download}
        </a>
      </div>
    );
  if (kind === "image")
    return (
      <img
        className={styles.picture}
        src={src}
        alt={alt}
        // Comes into focus once it has loaded.
        onLoad={({ currentTarget }) => currentTarget.classList.add(styles.arrived ?? "")}
        // A broken connection is tried again.
        key={attempt}
        onError={() => (attempt < attemptsMax ? setTimeout(() => setAttempt(attempt + 1), 1_000) : setBroken(true))}
      />
    );
  if (kind === "video")
    return <Film className={styles.picture} src={src} label={alt} onBroken={() => setBroken(true)} />;
  return <Sound className={styles.sound} src={src} label={alt} onBroken={() => setBroken(true)} />;
}

// A URL for bytes in memory, valid while the component is mounted.
export function useBytesUrl(bytes: Uint8Array<ArrayBuffer> | null, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === null) return setUrl(null);
    // Untrusted content must never open as one of our pages.
    const made = URL.createObjectURL(new Blob([bytes], { type: safeType(type) }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}

const safeType = (type: string): string =>
  /^(image\/(?!svg)|video\/|audio\/)/.test(type) ? type : "application/octet-stream";

// We do not load content from another host; the link does not tell that host where it was followed.
export function ForeignLink({ url }: { readonly url: string }): ReactNode {
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return <code>{url}</code>;
  return (
    <a className={styles.foreign} href={url} rel="noreferrer noopener" target="_blank">
      <ExternalLink aria-hidden="true" />
      <span>
        {host}
        {pathname.length > 48 ? `${pathname.slice(0, 45)}…` : pathname}
      </span>
    </a>
  );
}

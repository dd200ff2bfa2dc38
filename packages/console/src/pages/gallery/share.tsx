// A link to share. Anyone who has it sees the bytes until it expires, and it cannot be revoked earlier.

import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { atelier } from "../../api/atelier.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./viewer/viewer.module.css";

const words = galleryViewer.share;

export function Share({ asset }: { readonly asset: Asset }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <Button small aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Link2 aria-hidden="true" />
        {words.share}
      </Button>
      {isOpen ? (
        <div id={id} className={styles.share} style={{ marginTop: "0.6rem" }}>
          {asset.url_expires_at === null ? <NoSignedUrl asset={asset} /> : <SignedUrl asset={asset} />}
        </div>
      ) : null}
    </div>
  );
}

// Fresh each time, so that it lasts as long as possible.
function SignedUrl({ asset }: { readonly asset: Asset }): ReactNode {
  const { data } = useQuery({
    queryKey: ["asset", asset.id, "share"],
    queryFn: ({ signal }) => atelier.assets.share(asset, { signal }),
    staleTime: 60_000,
  });
  const now = useNow(1_000);
  if (data === undefined) return <Skeleton height="5rem" />;
  const left = data.expiresAt === null ? 0 : data.expiresAt.getTime() - now;
  return (
    <>
      {isLoopback(data.url) ? (
        <p>
          <Rich text={words.onlyHere} host={<code>{new URL(data.url).hostname}</code>} />
        </p>
      ) : (
        <p>{words.anyone}</p>
      )}
      <div className={styles.shareLine}>
        <input
          className={kit.input}
          readOnly
          aria-label={words.link}
          value={data.url}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={data.url} label={words.copyLink} />
      </div>
      <p className={kit.soft}>
        {left > 0 ? (
          <Rich
            text={words.validUntil}
            time={data.expiresAt?.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })}
            left={<span style={{ fontVariantNumeric: "tabular-nums" }}>{countdownOf(left)}</span>}
          />
        ) : (
          words.expired
        )}
      </p>
    </>
  );
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\./.test(hostname);
}

function NoSignedUrl({ asset }: { readonly asset: Asset }): ReactNode {
  const address = new URL(asset.urls.content, location.href).href;
  return (
    <>
      <p>{words.notSigned}</p>
      <div className={styles.shareLine}>
        <input
          className={kit.input}
          readOnly
          aria-label={words.address}
          value={address}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={address} label={words.copyAddress} />
      </div>
    </>
  );
}

function countdownOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor((seconds % 3_600) / 60))}:${two(seconds % 60)}`;
}

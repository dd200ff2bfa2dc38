// Everything but pictures: videos and sounds are played, texts are shown up to a limit, other files are named and can be
// downloaded.

import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { gallery } from "#strings/gallery";
import { galleryViewer } from "#strings/gallery-viewer";
import { send } from "../../../api/client.ts";
import { formatBytes } from "../../../ui/figures.tsx";
import { KindIcon, kindWords } from "../../../ui/kind-icon.tsx";
import kit from "../../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../../ui/states.tsx";
import { Film, Sound } from "../../../ui/viewers/players.tsx";
import styles from "./viewer.module.css";

const words = galleryViewer.stage;
const textBytesMax = 256 * 1024;

export function OtherStage({
  asset,
  source,
}: {
  readonly asset: Asset;
  readonly source: string | "gone" | null;
}): ReactNode {
  const isText = asset.kind === "text" || /json|xml|yaml|csv/.test(asset.content_type);
  if (isText && asset.kind !== "video" && asset.kind !== "audio") return <TextStage asset={asset} />;
  if (asset.kind === "video" || asset.kind === "audio") return <Player asset={asset} source={source} />;
  return <Card asset={asset}>{words.noPreview}</Card>;
}

function Player({ asset, source }: { readonly asset: Asset; readonly source: string | "gone" | null }): ReactNode {
  const [isBroken, setBroken] = useState(false);
  if (isBroken || source === "gone") return <Card asset={asset}>{words.noPlayer}</Card>;
  if (source === null) return <Skeleton height="12rem" width="24rem" />;
  if (asset.kind === "video")
    return (
      <Film
        className={styles.film}
        src={source}
        label={asset.file_path ?? words.video}
        onBroken={() => setBroken(true)}
      />
    );
  return (
    <Card asset={asset}>
      <Sound src={source} label={asset.file_path ?? words.audio} onBroken={() => setBroken(true)} />
    </Card>
  );
}

function Card({ asset, children }: { readonly asset: Asset; readonly children: ReactNode }): ReactNode {
  return (
    <div className={styles.card}>
      <KindIcon kind={asset.kind ?? "file"} size={44} />
      <strong>{asset.file_path?.split("/").at(-1) ?? asset.id}</strong>
      <span className={kit.soft}>
        {kindWords[asset.kind ?? "file"]} · {asset.content_type} · {formatBytes(asset.size_bytes)}
      </span>
      <div>{children}</div>
    </div>
  );
}

function TextStage({ asset }: { readonly asset: Asset }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", asset.id, "text"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readText(asset, signal),
  });
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height="16rem" width="40rem" />;
  return (
    <div className={styles.text}>
      <pre>
        <code>{data}</code>
      </pre>
      {asset.size_bytes > textBytesMax ? (
        <p className={kit.soft}>{words.cut(formatBytes(textBytesMax), formatBytes(asset.size_bytes))}</p>
      ) : null}
    </div>
  );
}

async function readText(asset: Asset, signal: AbortSignal): Promise<string> {
  const headers = { range: `bytes=0-${textBytesMax - 1}` };
  const isEmpty = asset.size_bytes === 0;
  if (isEmpty) return "";
  const response =
    asset.url_expires_at === null
      ? await send(asset.urls.content, { headers, signal })
      : await fetch(asset.url, { headers, signal });
  if (!response.ok) throw new Error(gallery.bytesFailed(response.status));
  const text = new TextDecoder().decode(await response.arrayBuffer());
  if (!asset.content_type.includes("json") || asset.size_bytes > textBytesMax) return text;
  try {
    // Only reformat it if no number would lose digits.
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    return /\d{16,}/.test(text) ? text : pretty;
  } catch {
    return text;
  }
}

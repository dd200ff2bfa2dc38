// A job's outputs, small and large. Bytes are fetched with the credential, or from a signed URL.

import type { Output } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Box, Download, File, FileText, Film, type LucideIcon, Music } from "lucide-react";
import type { ReactNode } from "react";
import { jobs as words } from "#strings/jobs";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import { type Graph, titleOf } from "../../api/graphs.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { authorisedFetch } from "../../api/session.ts";
import { IconButton } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote } from "../../ui/states.tsx";
import { Thumb, useObjectUrl } from "../../ui/thumb.tsx";
import { toastFault } from "../../ui/toast.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import styles from "./job.module.css";

const icons: Readonly<Record<string, LucideIcon>> = { video: Film, audio: Music, text: FileText, latent: Box };

export function OutputTile({ output, graph }: { readonly output: Output; readonly graph: Graph }): ReactNode {
  const Icon = icons[output.type] ?? File;
  return (
    <li className={styles.tile} data-output={output.id}>
      <Link to="/console/gallery" search={{ asset: output.id } as never} className={styles.tileOpen}>
        <span className={styles.tilePicture}>
          {output.type === "image" ? (
            <Thumb assetId={output.id} alt="" size={160} />
          ) : (
            <Icon aria-hidden="true" className={styles.tileIcon} />
          )}
        </span>
        <span className={styles.tileName}>{output.name}</span>
      </Link>
      <span className={styles.tileFacts}>
        <span>
          {titleOf(graph[output.node_id], words.node(output.node_id))} · {formatBytes(output.size_bytes)}
        </span>
        <IconButton small label={words.made.download(output.name)} onClick={() => void download(output)}>
          <Download aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}

async function download(output: Output): Promise<void> {
  try {
    const response = await authorisedFetch(output.urls.content);
    if (!response.ok) throw new Error(words.made.answered(response.status));
    saveFile(await response.blob(), output.name);
  } catch (thrown) {
    toastFault(thrown, words.made.notDownloaded(output.name));
  }
}

// The full picture. The self-hosted surface has no signed URLs, so there we fetch the bytes.
export function BigOutput({ output }: { readonly output: Output }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const isSigned = config?.surface === "cloud";
  const signed = useQuery({
    ...readQuery(["asset", output.id], operations.getAsset, { params: { id: output.id } }),
    enabled: isSigned,
    staleTime: 600_000,
  });
  const fetched = useObjectUrl(config !== undefined && !isSigned ? output.urls.content : null);
  const url = isSigned ? signed.data?.url : fetched;
  if (signed.error && asFault(signed.error).status !== 404)
    return <FaultNote fault={signed.error} retry={() => void signed.refetch()} />;
  if (signed.error || url === "gone") return <p className={kit.soft}>{words.made.gone(output.name)}</p>;
  return (
    <figure>
      {url ? <img src={url} alt={output.name} data-output-picture /> : null}
      <figcaption className={kit.soft}>{output.name}</figcaption>
    </figure>
  );
}

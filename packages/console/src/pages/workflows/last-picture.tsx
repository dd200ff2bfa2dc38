// The picture of a workflow's latest run; a quiet shape until there is one.
import { Workflow } from "lucide-react";
import type { ReactNode } from "react";
import { addressOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { useObjectUrl } from "../../ui/thumb.tsx";
import styles from "./library.module.css";

export function LastPicture({
  assetId,
  alt = "",
}: {
  readonly assetId: string | null;
  readonly alt?: string;
}): ReactNode {
  const url = useObjectUrl(assetId && addressOf(operations.getAssetThumbnail, { params: { id: assetId } }));
  const isShown = url !== null && url !== "gone";
  return (
    <span className={styles.picture} data-waits={assetId !== null && url === null}>
      {isShown ? <img src={url} alt={alt} /> : <Workflow aria-hidden="true" />}
    </span>
  );
}

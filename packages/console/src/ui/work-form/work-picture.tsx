// A picture that a work made; a quiet shape if there is none.
import { WandSparkles } from "lucide-react";
import type { ReactNode } from "react";
import { addressOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { useObjectUrl } from "../thumb.tsx";
import styles from "./work-picture.module.css";

export function WorkPicture({
  assetId,
  alt = "",
}: {
  readonly assetId: string | null;
  readonly alt?: string;
}): ReactNode {
  const address =
    assetId && addressOf(operations.getAssetThumbnail, { params: { id: assetId }, query: { size: "512" } });
  const url = useObjectUrl(address);
  const isShown = url !== null && url !== "gone";
  return (
    <span className={styles.picture} data-waits={assetId !== null && url === null}>
      {isShown ? <img src={url} alt={alt} /> : <WandSparkles aria-hidden="true" />}
    </span>
  );
}

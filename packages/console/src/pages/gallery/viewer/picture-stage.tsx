// A picture to look at closely: wheel, drag, pinch and keys, on a backdrop where its colours can be judged.

import type { Asset } from "@atelier/sdk";
import { Maximize, Minus, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/states.tsx";
import { useObjectUrl } from "../../../ui/thumb.tsx";
import { type Backdrop, Backdrops } from "./overlay.tsx";
import styles from "./viewer.module.css";
import { type Looking, type Size, useLooking, usePointers, useSize } from "./zoom.ts";
import { ZoomedPicture } from "./zoomed-picture.tsx";

const words = galleryViewer.stage;

export interface StageKeys {
  closer(): void;
  further(): void;
  fit(): void;
  oneToOne(): void;
}

const unknown: Size = { width: 1, height: 1 };
export const zoomStep = 1.5;

export function PictureStage(props: {
  readonly asset: Asset | undefined;
  readonly source: string | "gone" | null;
  readonly backdrop: Backdrop;
  readonly onBackdrop: (backdrop: Backdrop) => void;
  readonly onKeys: (keys: StageKeys | null) => void;
  readonly onBroken: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { asset, source, onKeys } = props;
  const stage = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly size: Size } | null>(null);
  const [brokenId, setBroken] = useState<string | null>(null);
  const id = asset?.id ?? "";
  const isLoaded = loaded?.id === id;
  const size = isLoaded ? loaded.size : unknown;
  const thumb = useObjectUrl(asset && !isLoaded ? `/api/v2/assets/${id}/thumbnail` : null);
  const looking = useLooking(useSize(stage), size, id);
  usePointers(stage, looking);
  const now = useRef(looking);
  now.current = looking;
  useEffect(() => {
    onKeys(keysOf(now));
    return () => onKeys(null);
  }, [onKeys]);
  return (
    <>
      <div
        ref={stage}
        className={styles.stage}
        data-entry={id}
        data-backdrop={props.backdrop}
        data-zoom={looking.shown.zoom.toFixed(2)}
      >
        {!isLoaded && thumb !== null && thumb !== "gone" ? <img className={styles.before} src={thumb} alt="" /> : null}
        {source === "gone" || (asset && brokenId === id) ? (
          <div
            className={styles.card}
            style={{ position: "absolute", inset: 0, margin: "auto", height: "fit-content" }}
          >
            <Empty title={words.broken}>{words.brokenText}</Empty>
          </div>
        ) : asset && source !== null ? (
          <ZoomedPicture
            key={id}
            src={source}
            alt={asset.file_path ?? words.image}
            shown={looking.shown}
            style={isLoaded ? {} : { opacity: 0 }}
            onLoad={(natural) => setLoaded({ id, size: natural })}
            onError={() => {
              setBroken(id);
              props.onBroken();
            }}
          />
        ) : null}
        {props.children}
      </div>
      <ZoomTools
        looking={looking}
        backdrop={props.backdrop}
        onBackdrop={props.onBackdrop}
        size={isLoaded ? size : null}
      />
    </>
  );
}

function keysOf(now: { readonly current: Looking }): StageKeys {
  return {
    closer: () => now.current.zoomBy(zoomStep),
    further: () => now.current.zoomBy(1 / zoomStep),
    fit: () => now.current.fit(),
    oneToOne: () => now.current.oneToOne(),
  };
}

export function ZoomTools(props: {
  readonly looking: Looking;
  readonly backdrop: Backdrop;
  readonly onBackdrop: (backdrop: Backdrop) => void;
  readonly size?: Size | null;
  readonly children?: ReactNode;
}): ReactNode {
  const { looking, size } = props;
  return (
    <div className={styles.tools} role="toolbar" aria-label={words.tools}>
      {props.children}
      <IconButton small label={words.zoomOut} onClick={() => looking.zoomBy(1 / zoomStep)}>
        <Minus aria-hidden="true" />
      </IconButton>
      <span className={styles.zoom}>{Math.round(looking.shown.zoom * 100)} %</span>
      <IconButton small label={words.zoomIn} onClick={() => looking.zoomBy(zoomStep)}>
        <Plus aria-hidden="true" />
      </IconButton>
      <IconButton small label={words.fit} onClick={looking.fit}>
        <Maximize aria-hidden="true" />
      </IconButton>
      <Button small look="quiet" aria-label={words.actualSize} onClick={looking.oneToOne}>
        {words.oneToOne}
      </Button>
      <Backdrops chosen={props.backdrop} onChoose={props.onBackdrop} />
      {size ? <span className={styles.count}>{`${size.width} × ${size.height}`}</span> : null}
    </div>
  );
}

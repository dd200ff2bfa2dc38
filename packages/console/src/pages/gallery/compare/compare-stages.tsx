// The pictures of a comparison. The first sets the size; the others are drawn at that size, point for point.

import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { Button } from "../../../ui/button.tsx";
import { formatPercent } from "../../../ui/figures.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { openBytes } from "../download.ts";
import type { CompareMode } from "../search.ts";
import { useSource } from "../source.ts";
import type { Backdrop } from "../viewer/overlay.tsx";
import styles from "../viewer/viewer.module.css";
import type { Looking, Size } from "../viewer/zoom.ts";
import { ZoomedPicture } from "../viewer/zoomed-picture.tsx";
import { differenceOf } from "./difference.ts";

const words = galleryViewer.compare;

interface StagesProps {
  readonly assets: readonly Asset[];
  readonly mode: CompareMode;
  readonly backdrop: Backdrop;
  readonly looking: Looking;
  readonly stage: Size;
  readonly isFlipped: boolean;
  readonly onFlip: (isFlipped: boolean) => void;
  readonly onSize: (size: Size) => void;
}

const nameOf = (asset: Asset | undefined): string => asset?.file_path?.split("/").at(-1) ?? asset?.id ?? "";

export function CompareStages(props: StagesProps): ReactNode {
  const { assets, mode, backdrop } = props;
  const [first, second] = assets;
  if (mode === "side")
    return assets.map((asset, at) => (
      <div key={asset.id} className={styles.stage} data-backdrop={backdrop}>
        <Layer {...props} asset={asset} isFirst={at === 0} />
        <span className={styles.tag}>{nameOf(asset)}</span>
      </div>
    ));
  if (first === undefined || second === undefined) return null;
  const pair = { ...props, first, second };
  return (
    <div className={styles.stage} data-backdrop={mode === "difference" ? "black" : backdrop}>
      {mode === "slider" ? <Slider {...pair} /> : mode === "flip" ? <Flip {...pair} /> : <Difference {...pair} />}
    </div>
  );
}

function Layer(
  props: StagesProps & { readonly asset: Asset; readonly isFirst: boolean; readonly style?: CSSProperties },
): ReactNode {
  const source = useSource(props.asset);
  if (source === null || source === "gone") return null;
  return (
    <ZoomedPicture
      src={source}
      alt={nameOf(props.asset)}
      shown={props.looking.shown}
      style={props.style ?? {}}
      {...(props.isFirst ? { onLoad: props.onSize } : {})}
    />
  );
}

type PairProps = StagesProps & { readonly first: Asset; readonly second: Asset };

// Must match the width in the stylesheet.
const handle = 38.4;

// The first picture to the left of the line, the second to the right.
function Slider(props: PairProps): ReactNode {
  const [share, setShare] = useState(50);
  const { shown } = props.looking;
  // The middle of the handle, which stays within the stage.
  const x = handle / 2 + ((props.stage.width - handle) * share) / 100;
  // The clip is in screen pixels relative to the picture.
  const cut = Math.min(shown.width, Math.max(0, x - shown.left));
  const pair = props.isFlipped ? [props.second, props.first] : [props.first, props.second];
  return (
    <>
      <Layer {...props} asset={pair[0] ?? props.first} isFirst />
      <Layer {...props} asset={pair[1] ?? props.second} isFirst={false} style={{ clipPath: `inset(0 0 0 ${cut}px)` }} />
      <div className={styles.line} style={{ left: x }} aria-hidden="true" />
      <span className={styles.tag}>{nameOf(pair[0])}</span>
      <span className={styles.tag} data-side="right">
        {nameOf(pair[1])}
      </span>
      <input
        type="range"
        className={styles.slide}
        aria-label={words.line}
        min={0}
        max={100}
        step={0.5}
        value={share}
        onChange={(event) => setShare(Number(event.target.value))}
      />
    </>
  );
}

function Flip(props: PairProps): ReactNode {
  const { isFlipped } = props;
  return (
    <>
      <Layer {...props} asset={props.first} isFirst />
      <Layer {...props} asset={props.second} isFirst={false} style={{ visibility: isFlipped ? "visible" : "hidden" }} />
      <span className={styles.tag}>{nameOf(isFlipped ? props.second : props.first)}</span>
      <span className={styles.notice} style={{ pointerEvents: "auto" }}>
        <Rich
          text={words.hold}
          button={
            <Button
              small
              aria-pressed={isFlipped}
              onPointerDown={() => props.onFlip(true)}
              onPointerUp={() => props.onFlip(false)}
              onPointerLeave={() => props.onFlip(false)}
              onKeyDown={(event) => (event.key === " " || event.key === "Enter") && props.onFlip(true)}
              onKeyUp={() => props.onFlip(false)}
            >
              {words.holdHere}
            </Button>
          }
        />
      </span>
    </>
  );
}

function Difference(props: PairProps): ReactNode {
  const { first, second, onSize } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data, error } = useQuery({
    queryKey: ["difference", first.hash ?? first.id, second.hash ?? second.id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: 0,
    queryFn: async ({ signal }) => {
      const [one, other] = await Promise.all([first, second].map((asset) => bitmapOf(asset, signal)));
      if (one === undefined || other === undefined) throw new Error(words.unreadable);
      return { size: { width: one.width, height: one.height }, found: differenceOf(one, other) };
    },
  });
  const image = data && data.found !== "too large" ? data.found.image : null;
  useEffect(() => {
    if (data) onSize(data.size);
    if (image) canvas.current?.getContext("2d")?.putImageData(image, 0, 0);
  }, [data, image, onSize]);
  const { left, top, width, height } = props.looking.shown;
  return (
    <>
      {image ? (
        <canvas
          ref={canvas}
          className={styles.difference}
          width={image.width}
          height={image.height}
          role="img"
          aria-label={words.canvas}
          style={{ width, height, transform: `translate(${left}px, ${top}px)` }}
        />
      ) : null}
      <span className={styles.notice} role="status">
        {error ? words.readFailed : (data && verdictOf(data.found)) || words.comparing}
      </span>
    </>
  );
}

async function bitmapOf(asset: Asset, signal: AbortSignal): Promise<ImageBitmap> {
  return createImageBitmap(await (await openBytes(asset, signal)).blob());
}

function verdictOf(found: ReturnType<typeof differenceOf>): string {
  if (found === "too large") return words.tooLarge;
  if (found.share === 0) return words.same;
  return words.differ(formatPercent(found.share), found.largest);
}

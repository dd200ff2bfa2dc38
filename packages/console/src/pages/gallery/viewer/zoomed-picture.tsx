// A picture on a stage, drawn at the view's scale and centre.
import type { CSSProperties, ReactNode } from "react";
import styles from "./viewer.module.css";
import { gridFrom, pixelsFrom, type Shown } from "./zoom.ts";

export function ZoomedPicture(props: {
  readonly src: string;
  readonly alt: string;
  readonly shown: Shown;
  readonly style?: CSSProperties;
  readonly onLoad?: (size: { width: number; height: number }) => void;
  readonly onError?: () => void;
}): ReactNode {
  const { zoom, left, top, width, height } = props.shown;
  const box = { width, height, transform: `translate(${left}px, ${top}px)` };
  return (
    <>
      <img
        className={styles.picture}
        src={props.src}
        alt={props.alt}
        crossOrigin={props.src.startsWith("blob:") ? undefined : "anonymous"}
        draggable={false}
        style={{ ...box, imageRendering: zoom >= pixelsFrom ? "pixelated" : "auto", ...props.style }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          props.onLoad?.({ width: naturalWidth, height: naturalHeight })
        }
        onError={props.onError}
      />
      {zoom >= gridFrom ? (
        <div
          className={styles.pixels}
          aria-hidden="true"
          data-pixel-grid
          style={{ ...box, backgroundSize: `${zoom}px ${zoom}px`, ...props.style }}
        />
      ) : null}
    </>
  );
}

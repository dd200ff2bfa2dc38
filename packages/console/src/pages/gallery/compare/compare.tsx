// Two to four pictures at the same size and point: with a slider between them, side by side, one over the other, or as a
// difference; below, how their jobs differ.

import type { Asset } from "@atelier/sdk";
import { useQueries } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { IconButton } from "../../../ui/button.tsx";
import { FaultNote } from "../../../ui/states.tsx";
import { focusTile } from "../grid.tsx";
import { assetQuery } from "../items.ts";
import { ParameterTable } from "../parameter-table.tsx";
import { type CompareMode, modes } from "../search.ts";
import { type Backdrop, Overlay } from "../viewer/overlay.tsx";
import { ZoomTools, zoomStep } from "../viewer/picture-stage.tsx";
import styles from "../viewer/viewer.module.css";
import { type Size, useLooking, usePointers, useSize } from "../viewer/zoom.ts";
import { CompareStages } from "./compare-stages.tsx";

const words = galleryViewer.compare;

export function Compare(props: {
  readonly ids: readonly string[];
  readonly mode: CompareMode | undefined;
  readonly onMode: (mode: CompareMode) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { ids } = props;
  const found = useQueries({ queries: ids.map(assetQuery) });
  const assets = found.flatMap(({ data }) => (data ? [data] : []));
  const fault = found.find(({ error }) => error !== null)?.error;
  const [isFlipped, setFlipped] = useState(false);
  const mode = ids.length > 2 ? "side" : (props.mode ?? "slider");
  const onKey = (event: KeyboardEvent) => {
    const next = modes[Number(event.key) - 1];
    if (next !== undefined && ids.length === 2) props.onMode(next);
    // A range uses the same keys. Space presses a button, except the button of the current mode, which does nothing.
    if (event.key === " " && !(event.target as HTMLElement).matches("button:not([aria-pressed=true])")) {
      event.preventDefault();
      setFlipped(true);
    }
  };
  return (
    <Overlay
      label={words.label(ids.length)}
      onClose={props.onClose}
      // A visit that began here has no element to go back to.
      onClosed={() => document.activeElement === document.body && focusTile(ids[0] ?? "")}
      onKey={onKey}
      onKeyUp={(event) => event.key === " " && setFlipped(false)}
    >
      <div className={styles.compare}>
        <header className={styles.bar}>
          <IconButton label={galleryViewer.close} onClick={props.onClose}>
            <X aria-hidden="true" />
          </IconButton>
          <h2>
            <span className={styles.wideOnly} aria-hidden="true">
              {words.title}
            </span>
            <span className="visually-hidden">{words.title}</span>
          </h2>
          <fieldset className={styles.choice} aria-label={words.how}>
            {modes.map((name, at) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === mode}
                title={words.modeKey(words.modes[name], at + 1)}
                disabled={ids.length > 2 && name !== "side"}
                onClick={() => props.onMode(name)}
              >
                {words.modes[name]}
              </button>
            ))}
          </fieldset>
        </header>
        {fault ? (
          <div className={styles.stage} data-plain="true">
            <FaultNote
              fault={fault}
              gone={words.gone}
              retry={() => found.forEach(({ error, refetch }) => void (error && refetch()))}
            />
          </div>
        ) : assets.length === ids.length ? (
          <Stages assets={assets} mode={mode} isFlipped={isFlipped} onFlip={setFlipped} />
        ) : (
          <div className={styles.stage} />
        )}
        <ParameterTable assets={assets} />
      </div>
    </Overlay>
  );
}

function Stages(props: {
  readonly assets: readonly Asset[];
  readonly mode: CompareMode;
  readonly isFlipped: boolean;
  readonly onFlip: (isFlipped: boolean) => void;
}): ReactNode {
  const { assets, mode } = props;
  const box = useRef<HTMLDivElement>(null);
  const [backdrop, setBackdrop] = useState<Backdrop>("grey");
  const [size, setSize] = useState<Size>({ width: 1, height: 1 });
  const whole = useSize(box);
  const columns = mode === "side" ? (assets.length === 4 ? 2 : assets.length) : 1;
  const rows = mode === "side" && assets.length === 4 ? 2 : 1;
  const stage = useMemo(() => ({ width: whole.width / columns, height: whole.height / rows }), [whole, columns, rows]);
  const looking = useLooking(stage, size, `${assets.map(({ id }) => id).join()} ${size.width}`);
  usePointers(box, looking);
  return (
    <>
      <div
        ref={box}
        className={styles.stages}
        data-count={mode === "side" ? assets.length : 1}
        data-mode={mode}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the pictures
        tabIndex={0}
        role="application"
        aria-label={words.keys}
        onKeyDown={(event) => {
          const run: Readonly<Record<string, () => void>> = {
            "+": () => looking.zoomBy(zoomStep),
            "=": () => looking.zoomBy(zoomStep),
            "-": () => looking.zoomBy(1 / zoomStep),
            "0": looking.fit,
            ArrowLeft: () => looking.panBy(40, 0),
            ArrowRight: () => looking.panBy(-40, 0),
            ArrowUp: () => looking.panBy(0, 40),
            ArrowDown: () => looking.panBy(0, -40),
          };
          if (event.target === event.currentTarget) run[event.key]?.();
        }}
      >
        <CompareStages
          assets={assets}
          mode={mode}
          backdrop={backdrop}
          looking={looking}
          stage={stage}
          isFlipped={props.isFlipped}
          onFlip={props.onFlip}
          onSize={setSize}
        />
      </div>
      <ZoomTools looking={looking} backdrop={backdrop} onBackdrop={setBackdrop} size={size.width > 1 ? size : null} />
    </>
  );
}

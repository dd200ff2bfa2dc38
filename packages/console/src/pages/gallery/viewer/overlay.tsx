// A page on top of the page: the browser's own dialog, so that the focus stays inside and returns where it was.

import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import styles from "./viewer.module.css";

export function Overlay(props: {
  readonly label: string;
  readonly onClose: () => void;
  // It has closed and the focus is back where it was, or nowhere if that element is gone: move it if it belongs elsewhere.
  readonly onClosed: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onKeyUp?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const onClosed = useRef(props.onClosed);
  onClosed.current = props.onClosed;
  // Close it before it leaves the document: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    const { style, dataset } = document.documentElement;
    // The page below does not scroll and is not laid out again while it is covered.
    dataset["covered"] = "";
    style.overflow = "hidden";
    dialog?.showModal();
    // So that keys work immediately, and no button looks pressed.
    dialog?.focus();
    return () => {
      delete dataset["covered"];
      style.overflow = "";
      dialog?.close();
      giveBack(opener);
      // The browser gives up if the page below is not laid out at this very moment.
      if (isLost() && opener?.isConnected)
        requestAnimationFrame(() => {
          giveBack(opener);
          onClosed.current();
        });
      else onClosed.current();
    };
  }, []);
  const isTyping = (event: KeyboardEvent) =>
    event.target instanceof HTMLElement && event.target.matches("input:not([type=range]), textarea, select");
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      className={styles.viewer}
      aria-label={props.label}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onKeyDown={(event) => {
        if (!isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey) props.onKey(event);
      }}
      onKeyUp={props.onKeyUp}
    >
      {props.children}
    </dialog>
  );
}

const isLost = () => document.activeElement === document.body;

function giveBack(opener: Element | null): void {
  if (isLost() && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}

const words = galleryViewer.stage;
const backdrops = ["grey", "black", "white", "checkerboard"] as const;
export type Backdrop = (typeof backdrops)[number];

export function Backdrops(props: {
  readonly chosen: Backdrop;
  readonly onChoose: (backdrop: Backdrop) => void;
}): ReactNode {
  return (
    <fieldset className={styles.swatches} aria-label={words.backdrop}>
      {backdrops.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.swatch}
          data-backdrop={name}
          aria-pressed={name === props.chosen}
          aria-label={words.backdropOf(words.backdrops[name])}
          title={words.backdrops[name]}
          onClick={() => props.onChoose(name)}
        />
      ))}
    </fieldset>
  );
}

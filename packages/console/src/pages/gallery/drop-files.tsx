// Accepts files by drop, by paste and from the picker.

import { Upload } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { gallery as words } from "#strings/gallery";
import { operations } from "../../api/operations.ts";
import { startUploads } from "../../api/uploads.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./gallery.module.css";

export function UploadButton(): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.filesToUpload}
        onChange={({ target }) => {
          startUploads([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button does={operations.createUpload} look="primary" onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        {words.upload}
      </Button>
    </>
  );
}

export function DropFiles(): ReactNode {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // Browsers fire dragenter on a child before dragleave on its parent.
    let depth = 0;
    const hasFiles = (event: DragEvent) =>
      event.dataTransfer?.types.some((type) => type.toLowerCase() === "files") === true;
    const onEnter = (event: DragEvent) => {
      if (hasFiles(event)) setOver(++depth > 0);
    };
    const onLeave = (event: DragEvent) => {
      if (hasFiles(event)) setOver(--depth > 0);
    };
    const onOver = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      startUploads([...(event.dataTransfer?.files ?? [])].filter(({ size, type }) => size > 0 || type !== ""));
    };
    const onPaste = (event: ClipboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea");
      const files = [...(event.clipboardData?.files ?? [])];
      if (!isTyping && files.length > 0) startUploads(files.map(named));
    };
    const control = new AbortController();
    const { signal } = control;
    addEventListener("dragenter", onEnter, { signal });
    addEventListener("dragleave", onLeave, { signal });
    addEventListener("dragover", onOver, { signal });
    addEventListener("drop", onDrop, { signal });
    addEventListener("paste", onPaste, { signal });
    return () => control.abort();
  }, []);
  return isOver ? (
    <div className={styles.drop}>
      <Upload aria-hidden="true" />
      {words.dropToUpload}
    </div>
  ) : null;
}

// All pasted pictures have the same name.
function named(file: File): File {
  if (file.name !== "image.png") return file;
  return new File([file], `pasted-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.png`, { type: file.type });
}

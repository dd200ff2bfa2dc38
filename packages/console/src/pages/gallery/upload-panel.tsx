// The files being uploaded, and the state of each.

import { Check, CircleAlert, Pause, Play, RotateCcw, Sparkles, X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { gallery } from "#strings/gallery";
import type { ApiFault } from "../../api/fault.ts";
import {
  dropEnded,
  dropUpload,
  pauseUpload,
  resumeUpload,
  type Upload,
  uploadsNow,
  watchUploads,
} from "../../api/uploads.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { formatBytes, Progress } from "../../ui/figures.tsx";
import styles from "./gallery.module.css";

const words = gallery.uploads;

export function UploadPanel(): ReactNode {
  const uploads = useSyncExternalStore(watchUploads, uploadsNow);
  if (uploads.length === 0) return null;
  const open = uploads.filter(({ state }) => state !== "done" && state !== "here").length;
  return (
    <section className={styles.uploads} aria-label={words.title}>
      <header>
        <h2 role="status">{open === 0 ? words.done : words.open(open, uploads.length)}</h2>
        <Button small look="quiet" onClick={dropEnded}>
          {words.clear}
        </Button>
      </header>
      <ul>
        {uploads.toReversed().map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadLine({ upload }: { readonly upload: Upload }): ReactNode {
  const { id, file, state, bytes } = upload;
  const isMoving = state === "hashing" || state === "sending";
  return (
    <li className={styles.upload} data-upload={state}>
      <span className={styles.uploadName} title={file.name}>
        {file.name}
      </span>
      <StateWords upload={upload} />
      <span className={styles.uploadActions}>
        {isMoving ? (
          <IconButton small label={words.pause(file.name)} onClick={() => pauseUpload(id)}>
            <Pause aria-hidden="true" />
          </IconButton>
        ) : null}
        {state === "paused" || state === "failed" ? (
          <IconButton
            small
            label={state === "paused" ? words.resume(file.name) : words.retry(file.name)}
            onClick={() => resumeUpload(id)}
          >
            {state === "paused" ? <Play aria-hidden="true" /> : <RotateCcw aria-hidden="true" />}
          </IconButton>
        ) : null}
        <IconButton small label={words.remove(file.name)} onClick={() => dropUpload(id)}>
          <X aria-hidden="true" />
        </IconButton>
      </span>
      {isMoving && file.size > 2_000_000 ? (
        <div className={styles.uploadBar}>
          <Progress value={file.size === 0 ? 0 : bytes / file.size} label={words.progress(file.name)} />
        </div>
      ) : null}
    </li>
  );
}

function StateWords({ upload: { state, file, bytes, fault } }: { readonly upload: Upload }): ReactNode {
  const size = formatBytes(file.size);
  if (state === "done")
    return (
      <span className={styles.uploadState} data-tone="ok">
        <Check aria-hidden="true" size={14} /> {words.states.done(size)}
      </span>
    );
  if (state === "here")
    return (
      <span className={styles.uploadState} data-tone="ok">
        <Sparkles aria-hidden="true" size={14} /> {words.states.here}
      </span>
    );
  if (state === "failed")
    return (
      <span className={styles.uploadState} data-tone="bad">
        <CircleAlert aria-hidden="true" size={14} /> {whyNot(fault)}
      </span>
    );
  const sent = formatBytes(bytes);
  const said = {
    waiting: words.states.waiting(size),
    hashing: words.states.hashing(size),
    sending: bytes > 0 ? words.states.sending(sent, size) : words.states.starting(size),
    paused: words.states.paused(sent, size),
  }[state];
  return <span className={styles.uploadState}>{said}</span>;
}

// In words that say what to do.
function whyNot(fault: ApiFault | null): string {
  if (fault === null) return words.faults.unknown;
  if (fault.status === 0) return words.faults.connection;
  if (fault.status === 402) return words.faults.credits(fault.message);
  if (fault.status === 413) return words.faults.tooLarge(fault.message);
  if (fault.status === 507) return words.faults.storageFull;
  if (fault.code === "quota_exceeded") return words.faults.quota(fault.message);
  return fault.message;
}

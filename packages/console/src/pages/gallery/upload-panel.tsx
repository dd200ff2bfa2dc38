// The files being uploaded, and the state of each.
import { Check, CircleAlert, Pause, Play, RotateCcw, Sparkles, X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
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
import { bytesOf, Progress } from "../../ui/figures.tsx";
import styles from "./gallery.module.css";

export function UploadPanel(): ReactNode {
  const uploads = useSyncExternalStore(watchUploads, uploadsNow);
  if (uploads.length === 0) return null;
  const open = uploads.filter(({ state }) => state !== "done" && state !== "here").length;
  return (
    <section className={styles.uploads} aria-label="Uploads">
      <header>
        <h2 role="status">{open === 0 ? "Uploads are done" : `${open} of ${uploads.length} to go`}</h2>
        <Button small look="quiet" onClick={dropEnded}>
          Clear finished
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
          <IconButton small label={`Pause ${file.name}`} onClick={() => pauseUpload(id)}>
            <Pause aria-hidden="true" />
          </IconButton>
        ) : null}
        {state === "paused" || state === "failed" ? (
          <IconButton
            small
            label={state === "paused" ? `Go on with ${file.name}` : `Try ${file.name} again`}
            onClick={() => resumeUpload(id)}
          >
            {state === "paused" ? <Play aria-hidden="true" /> : <RotateCcw aria-hidden="true" />}
          </IconButton>
        ) : null}
        <IconButton small label={`Remove ${file.name} from this list`} onClick={() => dropUpload(id)}>
          <X aria-hidden="true" />
        </IconButton>
      </span>
      {isMoving && file.size > 2_000_000 ? (
        <div className={styles.uploadBar}>
          <Progress value={file.size === 0 ? 0 : bytes / file.size} label={`${file.name}: ${state}`} />
        </div>
      ) : null}
    </li>
  );
}

function StateWords({ upload: { state, file, bytes, fault } }: { readonly upload: Upload }): ReactNode {
  const size = bytesOf(file.size);
  if (state === "done")
    return (
      <span className={styles.uploadState} data-tone="ok">
        <Check aria-hidden="true" size={14} /> Uploaded, {size}
      </span>
    );
  if (state === "here")
    return (
      <span className={styles.uploadState} data-tone="ok">
        <Sparkles aria-hidden="true" size={14} /> Already here, nothing uploaded
      </span>
    );
  if (state === "failed")
    return (
      <span className={styles.uploadState} data-tone="bad">
        <CircleAlert aria-hidden="true" size={14} /> {whyNot(fault)}
      </span>
    );
  const words = {
    waiting: `Waiting, ${size}`,
    hashing: `Looking whether it is here already, ${size}`,
    sending: bytes > 0 ? `${bytesOf(bytes)} of ${size}` : `Uploading, ${size}`,
    paused: `Paused at ${bytesOf(bytes)} of ${size}`,
  }[state];
  return <span className={styles.uploadState}>{words}</span>;
}

// In words that say what to do.
function whyNot(fault: ApiFault | null): string {
  if (fault === null) return "It did not work.";
  if (fault.status === 0) return "The connection was lost. Try again: what arrived is kept.";
  if (fault.status === 402) return `Not enough credits: ${fault.message}`;
  if (fault.status === 413) return `Too large for this workspace: ${fault.message}`;
  if (fault.status === 507) return "The server's storage is full. Tell who runs it; your file is untouched.";
  if (fault.code === "quota_exceeded")
    return `The workspace's quota is used up: ${fault.message} Delete what is not needed.`;
  return fault.message;
}

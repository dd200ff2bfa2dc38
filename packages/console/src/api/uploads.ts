// All uploads of the page.
import { atelier } from "./atelier.ts";
import { hashFile } from "./files/hash-file.ts";
import { UploadQueue } from "./upload-queue.ts";

export type { Upload } from "./upload-queue.ts";

// From this size on a file goes up in pieces, and a dropped connection costs only the last one.
const resumableFromBytes = 8 * 1024 * 1024;

const queue = new UploadQueue({
  hash: hashFile,
  put: (file, { resumeFrom, ...sending }) =>
    atelier.assets.put(file, {
      ...sending,
      resumableFromBytes,
      ...(resumeFrom === undefined ? {} : { resumeFrom }),
    }),
});

export const {
  now: uploadsNow,
  watch: watchUploads,
  onUploaded,
  start: startUploads,
  pause: pauseUpload,
  resume: resumeUpload,
  drop: dropUpload,
  dropEnded,
} = queue;

// How to store bytes, whichever way they are uploaded.
import type { CallOptions } from "./transport.ts";

/** How to store them. */
export interface PutOptions extends CallOptions {
  /** A bare name, or a path below a known root such as models/checkpoints/x.safetensors. */
  readonly filePath?: string;
  readonly contentType?: string;
  readonly tags?: readonly string[];
  /** Seconds to keep it. */
  readonly expiresIn?: number;
  /** From this size on, the file is uploaded in pieces; default 32 MiB. */
  readonly resumableFromBytes?: number;
  /** The hash of the bytes if you already know it: blake3: and 64 hexadecimal digits. The server checks it. */
  readonly hash?: string;
  /** Called with the URL of an upload in pieces, so that another call can continue it. */
  readonly onAddress?: (address: string) => void;
  /** Continues an upload that an earlier call began. */
  readonly resumeFrom?: string;
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

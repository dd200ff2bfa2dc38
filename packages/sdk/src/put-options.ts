// How bytes are stored, whichever way they go up.
import type { CallOptions } from "./transport.ts";

/** How to store them. */
export interface PutOptions extends CallOptions {
  /** A bare name, or a path below a known root such as models/checkpoints/x.safetensors. */
  readonly filePath?: string;
  readonly contentType?: string;
  readonly tags?: readonly string[];
  /** Seconds to keep it. */
  readonly expiresIn?: number;
  /** From this size on it goes up piece by piece; 32 MiB. */
  readonly resumableFromBytes?: number;
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

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
  /** From this size on it goes up piece by piece; 32 MiB. */
  readonly resumableFromBytes?: number;
  /** What the bytes hash to, where that is known already: blake3: and 64 hexadecimal digits. The server compares it. */
  readonly hash?: string;
  /** Told the address of an upload that goes up piece by piece, so that another call can go on with it. */
  readonly onAddress?: (address: string) => void;
  /** Goes on with an upload that an earlier call began, from where it was cut. */
  readonly resumeFrom?: string;
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

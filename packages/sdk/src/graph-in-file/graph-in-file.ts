// Loads the readers on first use. Most users of the SDK never need them, and they would be a large part of the core.
import type { ByteSource } from "./byte-source.ts";
import type { GraphInFile } from "./find-graph.ts";

/**
 * Reads the graph out of a PNG, WebP, JPEG, FLAC, Ogg, Opus, MP3, MP4 or WebM file, or a saved latent. `null`: it carries
 * none.
 *
 * ```ts
 * const found = await graphInFile(file); // a File of a page, a Blob, or bytes
 * const job = await atelier.jobs.submit(found?.prompt ?? found?.workflow);
 * ```
 */
export async function graphInFile(file: Uint8Array | Blob | ByteSource): Promise<GraphInFile | null> {
  const { findGraph } = await import("./find-graph.ts");
  return findGraph(file);
}

// Reads a file in pieces. We look only at the parts that can hold a graph, however large the rest is.

/** A file that can be read in pieces: of bytes, a `Blob` or `File`, or whatever reads ranges. */
export interface ByteSource {
  readonly size: number;
  /** Fewer bytes come only at the end of the file. */
  read(at: number, length: number): Promise<Uint8Array>;
}

// The longest text we read, and how many pieces of a file we look at before we give up.
export const textBytesMax = 16 * 1024 * 1024;
export const piecesMax = 100_000;

export function sourceOf(file: Uint8Array | Blob | ByteSource): ByteSource {
  if (file instanceof Uint8Array) {
    return { size: file.byteLength, read: async (at, length) => file.subarray(at, at + length) };
  }
  if ("read" in file) return file;
  return {
    size: file.size,
    read: async (at, length) => new Uint8Array(await file.slice(at, at + length).arrayBuffer()),
  };
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Four characters, or as many as are asked for. */
export function wordAt(bytes: Uint8Array, at: number, length = 4): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

export function latin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join("");
}

export function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The texts of a file by their names, in small letters; of two with a name the first. */
export class FoundTexts {
  readonly #texts = new Map<string, string>();

  add(name: string, text: string): void {
    const key = name.toLowerCase();
    if ((key === "prompt" || key === "workflow") && !this.#texts.has(key)) this.#texts.set(key, text);
  }

  get(name: "prompt" | "workflow"): string | undefined {
    return this.#texts.get(name);
  }
}

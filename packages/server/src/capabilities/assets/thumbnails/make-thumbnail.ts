// Makes one small picture. Runs in a child process only: a decoder that is led astray takes nothing else with it.
// Only the decoders below exist here; the header is read first, and what is too large is never decoded.
import sharp from "sharp";

export interface ThumbnailTask {
  readonly bytes: Uint8Array;
  readonly side: number;
}

// Null: no picture, and trying again would give none either.
export type MadeThumbnail = Uint8Array | null;

const pixelsMax = 64 * 1024 * 1024;
const edgeMax = 16_384;
const framesMax = 1_000;
const formats = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff"]);

export function restrictDecoders(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}Buffer`);
  sharp.unblock({ operation: loaders });
}

export async function makeThumbnail({ bytes, side }: ThumbnailTask): Promise<MadeThumbnail> {
  const options = { limitInputPixels: pixelsMax, failOn: "error", sequentialRead: true, unlimited: false } as const;
  try {
    const found = await sharp(bytes, options).metadata();
    const { width, height, format, pages = 1 } = found;
    const isBounded = Math.max(width, height) <= edgeMax && width * height <= pixelsMax && pages <= framesMax;
    if (!formats.has(format) || !isBounded) return null;
    // The first frame; turned as the camera was held; no metadata of the original.
    return await sharp(bytes, options)
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
  } catch {
    return null;
  }
}

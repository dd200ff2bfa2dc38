// Makes one thumbnail. Runs in a child process only, so a decoder that is exploited or crashes takes nothing else with
// it. Only the decoders below are enabled. The header is read first, and a picture that is too large is never decoded.
import sharp from "sharp";

export interface ThumbnailTask {
  readonly bytes: Uint8Array;
  readonly side: number;
}

// Null if there is no picture and trying again would not help.
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
    // First frame only, rotated as the camera was held, without the original's metadata.
    return await sharp(bytes, options)
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
  } catch {
    return null;
  }
}

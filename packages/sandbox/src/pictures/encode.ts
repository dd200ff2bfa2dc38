// Encodes pixels into files. PNG at a low level: twice as fast as the default for a few per cent of size.
import sharp from "sharp";

// One picture takes one thread; several at a time share the machine with everything else.
sharp.concurrency(1);
sharp.cache(false);

export function encodePng(pixels: Uint8Array, width: number, height: number): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 3, adaptiveFiltering: true })
    .toBuffer();
}

// Frames are one below the other.
export function encodeAnimation(
  pixels: Uint8Array,
  frame: { readonly width: number; readonly height: number; readonly count: number; readonly milliseconds: number },
  // One delay per frame if they differ. Below 95 the encoder takes slow fades for stillness.
  finer?: { readonly delays: readonly number[]; readonly quality: number },
): Promise<Buffer> {
  const { width, height, count, milliseconds } = frame;
  return sharp(pixels, { raw: { width, height: height * count, channels: 3, pageHeight: height } })
    .webp({
      loop: 0,
      delay: [...(finer?.delays ?? Array.from({ length: count }, () => milliseconds))],
      quality: finer?.quality ?? 80,
      effort: 1,
    })
    .toBuffer();
}

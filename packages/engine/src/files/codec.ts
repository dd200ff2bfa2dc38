// The picture codec, loaded when a file is first read or written, so that starting a child does not wait for it.
import type { Sharp, SharpOptions } from "sharp";

let loading: Promise<typeof import("sharp").default> | undefined;

async function codec(): Promise<typeof import("sharp").default> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // One job at a time uses one core; nothing is kept between jobs.
    sharp.concurrency(1);
    sharp.cache(false);
    // SVG may refer to other files, and no picture file needs it.
    sharp.block({ operation: ["VipsForeignLoadSvg"] });
    return sharp;
  });
  return loading;
}

export async function openPicture(
  source: string | Uint8Array,
  pixelsMax: number,
  options: Pick<SharpOptions, "pages"> = {},
): Promise<Sharp> {
  const sharp = await codec();
  // Colour profiles are not applied: the application takes the numbers as they are.
  return sharp(source, { limitInputPixels: pixelsMax, failOn: "error", ignoreIcc: true, ...options });
}

export interface RawPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

export async function openRaw({ bytes, width, height, channels }: RawPicture, pageHeight?: number): Promise<Sharp> {
  const sharp = await codec();
  const raw = { width, height, channels, ...(pageHeight === undefined ? {} : { pageHeight }) };
  return sharp(bytes, { raw, limitInputPixels: false });
}

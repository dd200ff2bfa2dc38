// Enlarges a picture by a factor and brings out its detail: sharpness at two widths, grain, contrast and saturation as
// requested. Uses sharp, outside our threads and in stripes, because results may be large.
import sharp, { type OverlayOptions } from "sharp";
import { speckle } from "./random.ts";

export interface EnlargeOrder {
  // The factor for each side.
  readonly times: number;
  // Whether to remove noise first, before it would be enlarged.
  readonly denoises: boolean;
  // From 0 to 1.
  readonly sharpness: number;
  readonly detail: number;
  readonly grain: number;
  // Factors; 1 leaves it unchanged.
  readonly saturation: number;
  readonly contrast: number;
}

const decodedPixelsMax = 50_000_000;
// The public tool's own limit.
const pixelsMax = 25_300_000;

export async function enlarge(bytes: Buffer, order: EnlargeOrder): Promise<Buffer> {
  const open = () => sharp(bytes, { limitInputPixels: decodedPixelsMax, failOn: "error" });
  const { width, height } = (await open().metadata()).autoOrient;
  const times = Math.min(order.times, Math.sqrt(pixelsMax / Math.max(1, width * height)));
  const size = { width: Math.floor(width * times), height: Math.floor(height * times) };
  const upright = open().autoOrient().toColourspace("srgb");
  const clean = order.denoises ? upright.median(3) : upright;
  const large = clean.resize({ ...size, fit: "fill", kernel: "lanczos3" });
  const fine = order.detail > 0 ? large.sharpen({ sigma: 0.6 * times, m1: 0.4, m2: 2.5 * order.detail }) : large;
  const crisp = order.sharpness > 0 ? fine.sharpen({ sigma: 1, m1: 0.2, m2: 3 * order.sharpness }) : fine;
  const toned = order.saturation === 1 ? crisp : crisp.modulate({ saturation: order.saturation });
  const contrasted = order.contrast === 1 ? toned : toned.linear(order.contrast, 128 * (1 - order.contrast));
  const grained =
    order.grain > 0
      ? contrasted.composite([await grainOf(order.grain, Math.min(size.width, size.height))])
      : contrasted;
  return grained.png({ compressionLevel: 2, adaptiveFiltering: false }).toBuffer();
}

const grainSideMax = 256;

// Noise around middle grey, as an overlay: lightens and darkens alike, and differently everywhere.
async function grainOf(strength: number, side: number): Promise<OverlayOptions> {
  const grainSide = Math.min(side, grainSideMax);
  const reach = 14 + 40 * strength;
  const values = Uint8Array.from({ length: grainSide * grainSide }, (_, at) => {
    const [x, y] = [at % grainSide, Math.floor(at / grainSide)];
    const bell = (speckle(x, y, 1) + speckle(x, y, 2) + speckle(x, y, 3)) / 3;
    return 128 + (bell - 0.5) * 2 * reach;
  });
  const input = await sharp(values, { raw: { width: grainSide, height: grainSide, channels: 1 } })
    .toColourspace("srgb")
    .png()
    .toBuffer();
  return { input, tile: true, blend: "soft-light" };
}

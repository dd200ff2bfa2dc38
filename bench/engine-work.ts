// The work of the engine's comparison: a graph of twenty nodes on 1024 × 1024, and the same steps written directly in sharp, as
// an expert would use it: as few passes as its fixed order allows, raw pixels in between, the same kernels, the same PNG level.
// Sharp computes with bytes, the engine with floats, so the pictures are similar, not equal.
import sharp from "sharp";

const side = 1024;
const radius = 6;
const sigma = 0.5;

const link = (node: number): [string, number] => [String(node), 0];
const blend = (image1: number, image2: number, blend_mode: string) => ({
  class_type: "ImageBlend",
  inputs: { image1: link(image1), image2: link(image2), blend_factor: 1, blend_mode },
});

export const graph = {
  "1": { class_type: "LoadImage", inputs: { image: "one.png" } },
  "2": { class_type: "LoadImage", inputs: { image: "two.png" } },
  "3": { class_type: "ImageBlur", inputs: { image: link(1), blur_radius: radius, sigma } },
  "4": { class_type: "ImageSharpen", inputs: { image: link(1), sharpen_radius: 1, sigma: 1, alpha: 0.05 } },
  "5": { class_type: "ImageInvert", inputs: { image: link(2) } },
  "6": blend(4, 5, "multiply"),
  "7": blend(6, 3, "screen"),
  "8": blend(7, 2, "overlay"),
  "9": { class_type: "ImageFlip", inputs: { image: link(8), flip_method: "y-axis: horizontally" } },
  "10": { class_type: "ImageRotate", inputs: { image: link(9), rotation: "90 degrees" } },
  "11": { class_type: "ImageCrop", inputs: { image: link(10), width: 768, height: 768, x: 128, y: 128 } },
  "12": {
    class_type: "ImageScale",
    inputs: { image: link(11), upscale_method: "lanczos", width: side, height: side, crop: "disabled" },
  },
  "13": blend(12, 2, "soft_light"),
  "14": blend(13, 3, "difference"),
  "15": { class_type: "ImageScaleBy", inputs: { image: link(14), upscale_method: "bicubic", scale_by: 1.25 } },
  "16": { class_type: "ImageCrop", inputs: { image: link(15), width: side, height: side, x: 128, y: 128 } },
  "17": { class_type: "ImageToMask", inputs: { image: link(2), channel: "red" } },
  "18": {
    class_type: "ImageCompositeMasked",
    inputs: { destination: link(16), source: link(4), x: 0, y: 0, resize_source: false, mask: link(17) },
  },
  "19": {
    class_type: "ImagePadForOutpaint",
    inputs: { image: link(18), left: 64, top: 64, right: 64, bottom: 64, feathering: 40 },
  },
  "20": { class_type: "SaveImage", inputs: { images: link(19), filename_prefix: "bench" } },
};

const raw = { raw: { width: side, height: side, channels: 3 as const } };

export async function directly(one: Buffer, two: Buffer): Promise<Buffer> {
  const a = await sharp(one).removeAlpha().raw().toBuffer();
  const b = await sharp(two).removeAlpha().raw().toBuffer();
  const blurred = await sharp(a, raw)
    .blur({ sigma: radius * sigma, minAmplitude: Math.exp(-1 / (2 * sigma * sigma)) })
    .raw()
    .toBuffer();
  const sharpened = await sharp(a, raw).convolve(sharpening(0.5)).raw().toBuffer();
  const negative = await sharp(b, raw).negate().raw().toBuffer();
  const blended = await sharp(sharpened, raw)
    .composite([
      { input: negative, ...raw, blend: "multiply" },
      { input: blurred, ...raw, blend: "screen" },
      { input: b, ...raw, blend: "overlay" },
    ])
    .removeAlpha()
    .raw()
    .toBuffer();
  const turned = await sharp(blended, raw)
    .flop()
    .rotate(90)
    .extract({ left: 128, top: 128, width: 768, height: 768 })
    .resize(side, side, { kernel: "lanczos3" })
    .composite([
      { input: b, ...raw, blend: "soft-light" },
      { input: blurred, ...raw, blend: "difference" },
    ])
    .removeAlpha()
    .raw()
    .toBuffer();
  const enlarged = await sharp(turned, raw)
    .resize(1280, 1280, { kernel: "cubic" })
    .extract({ left: 128, top: 128, width: side, height: side })
    .raw()
    .toBuffer();
  const mask = await sharp(b, raw).extractChannel(0).raw().toBuffer();
  const masked = await sharp(sharpened, raw)
    .joinChannel(mask, { raw: { width: side, height: side, channels: 1 } })
    .raw()
    .toBuffer();
  const layer = { input: masked, raw: { width: side, height: side, channels: 4 as const } };
  const composed = await sharp(enlarged, raw).composite([layer]).removeAlpha().raw().toBuffer();
  return sharp(composed, raw)
    .extend({ left: 64, top: 64, right: 64, bottom: 64, background: "#808080" })
    .png({ compressionLevel: 4 })
    .toBuffer();
}

// The engine's sharpening kernel of radius 1, sigma 1: adds what a blur takes away.
function sharpening(strength: number): { width: number; height: number; kernel: number[] } {
  const line = [Math.exp(-0.5), 1, Math.exp(-0.5)];
  const sum = line.reduce((total, weight) => total + weight, 0) ** 2;
  const kernel = line.flatMap((y) => line.map((x) => (-strength * x * y) / sum));
  kernel[4] = (kernel[4] ?? 0) + 1 + strength;
  return { width: 3, height: 3, kernel };
}

// Two pictures with soft shades, edges and a little grain: neither flat, which would flatter compression, nor noise.
export function photo(seed: number): Promise<Buffer> {
  const bytes = Buffer.alloc(side * side * 3);
  let state = seed;
  for (let at = 0; at < bytes.length; at++) {
    const [pixel, channel] = [Math.floor(at / 3), at % 3];
    const [x, y] = [pixel % side, Math.floor(pixel / side)];
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const shade = Math.sin((x + seed * 90) / (60 + channel * 20)) + Math.cos((y * (1 + channel)) / 150 + seed);
    const edge = (x - 500) ** 2 + (y - 400 - seed * 80) ** 2 < 200 ** 2 ? 40 : 0;
    bytes[at] = Math.min(255, Math.max(0, 110 + shade * 45 + edge + ((state >>> 24) % 6)));
  }
  return sharp(bytes, raw).png({ compressionLevel: 4 }).toBuffer();
}

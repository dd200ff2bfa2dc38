// The pixel difference of two pictures. Black means equal; we brighten differences so that small ones are visible.
import { galleryViewer } from "#strings/gallery-viewer";

export interface PixelDifference {
  readonly image: ImageData;
  // The share of pixels that differ at all, and the largest difference of a channel, 0 to 255.
  readonly share: number;
  readonly largest: number;
}

const gain = 4;
// As many pixels as we can go through without blocking the page.
const pixelsMax = 16_000_000;

export function differenceOf(one: ImageBitmap, other: ImageBitmap): PixelDifference | "too large" {
  const { width, height } = one;
  if (width * height > pixelsMax) return "too large";
  const [a, b] = [pixelsOf(one, width, height), pixelsOf(other, width, height)];
  const image = new ImageData(width, height);
  let count = 0;
  let largest = 0;
  for (let at = 0; at < a.length; at += 4) {
    let most = 0;
    for (let channel = 0; channel < 4; channel++) {
      const apart = Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0));
      if (apart > most) most = apart;
      if (channel < 3) image.data[at + channel] = apart * gain;
    }
    image.data[at + 3] = 255;
    if (most > 0) count++;
    if (most > largest) largest = most;
  }
  return { image, share: count / (width * height), largest };
}

// The second picture is drawn at the size of the first.
function pixelsOf(picture: ImageBitmap, width: number, height: number): Uint8ClampedArray {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error(galleryViewer.compare.noPixels);
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

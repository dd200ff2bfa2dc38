// The mask for outpainting: 1 in the margins, and inside the picture the square of how near an extended edge is. No fading where
// it would not fit twice into the picture.
import type { Edges } from "./feather.ts";
import type { Plane, Size } from "./picture.ts";

export function outpaintMask(target: Plane, inner: Size, margins: Edges, feathering: number): void {
  target.data.fill(1);
  const { width, height } = inner;
  const isFaded = feathering > 0 && feathering * 2 < height && feathering * 2 < width;
  for (let y = 0; y < height; y++) {
    const start = (margins.top + y) * target.width + margins.left;
    const up = margins.top === 0 ? height : y;
    const down = margins.bottom === 0 ? height : height - y;
    for (let x = 0; x < width; x++) {
      const left = margins.left === 0 ? width : x;
      const right = margins.right === 0 ? width : width - x;
      const distance = Math.min(up, down, left, right);
      const share = isFaded && distance < feathering ? (feathering - distance) / feathering : 0;
      target.data[start + x] = share * share;
    }
  }
}

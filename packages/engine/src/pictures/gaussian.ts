// The application's Gaussian kernel: sampled on −1…1 at any radius, so that sigma is in radii. Every step is in 32 bits. The
// application uses the exponential of its processor's library, which differs between machines; ours is correctly rounded, and
// theirs differ from it in one weight of a hundred by one unit in the last place.
import { cascadeSum } from "./cascade-sum.ts";

const { fround } = Math;

export function gaussianKernel(radius: number, sigma: number): Float32Array {
  const size = radius * 2 + 1;
  const offsets = spread(size);
  const wide = fround(2 * sigma * sigma);
  const raw = new Float32Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [offsets[row] ?? 0, offsets[column] ?? 0];
      const distance = fround(Math.sqrt(fround(fround(x * x) + fround(y * y))));
      raw[row * size + column] = Math.exp(fround(-fround(distance * distance) / wide));
    }
  }
  const sum = cascadeSum(raw);
  return raw.map((weight) => weight / sum);
}

// Adds `strength` times what a blur takes away: −strength × gauss, and in the middle what brings the sum to 1.
export function sharpeningKernel(radius: number, sigma: number, strength: number): Float32Array {
  const kernel = gaussianKernel(radius, sigma).map((weight) => weight * fround(-strength));
  const middle = kernel.length >> 1;
  kernel[middle] = fround((kernel[middle] ?? 0) - cascadeSum(kernel)) + 1;
  return kernel;
}

// From −1 to 1 in this many equal steps, counted from both ends.
function spread(size: number): Float32Array {
  const step = fround(2 / (size - 1));
  return Float32Array.from({ length: size }, (_, index) =>
    index < size >> 1 ? -1 + step * index : 1 - step * (size - 1 - index),
  );
}

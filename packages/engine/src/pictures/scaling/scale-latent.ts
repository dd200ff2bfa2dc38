// Scales latents: every plane separately, like a picture. One path of the application's bilinear takes eight channels in one
// step and adds the corners in a different order than for the leftover channels; small results show it.
import type { NodeContext } from "../../execution/node-runner.ts";
import type { Plane, Size } from "../picture.ts";
import { countOf, narrowed, type Tensor } from "../tensor.ts";
import { bislerp } from "./bislerp.ts";
import { type Crop, centredMargins, resample } from "./scale.ts";
import { cornersMax, linearTaps } from "./taps.ts";

export const latentMethods = ["nearest-exact", "bilinear", "area", "bicubic", "bislerp"] as const;
export type LatentMethod = (typeof latentMethods)[number];

const lanes = 8;

export async function scaledLatent(
  value: Tensor,
  size: Size,
  method: LatentMethod,
  crop: Crop,
  context: NodeContext,
): Promise<Tensor> {
  const floats = (count: number) => context.floats(count, "A latent");
  const source = crop === "center" ? centred(value, size, floats) : value;
  if (method === "bislerp") return bislerp(source, size, context.profile, floats);
  const [width = 0, height = 0] = source.shape.toReversed();
  const outer = countOf(source.shape.slice(0, -2));
  const channels = source.shape[1] ?? 1;
  const perChannel = countOf(source.shape.slice(2, -2));
  const isSmall = method === "bilinear" && size.width + size.height <= cornersMax;
  const data = floats(outer * size.width * size.height);
  for (let index = 0; index < outer; index++) {
    await context.breathe(index, outer);
    const plane = (from: Float32Array, at: Size): Plane => ({
      ...at,
      channels: 1,
      data: from.subarray(index * at.width * at.height, (index + 1) * at.width * at.height),
    });
    const [from, to] = [plane(source.data, { width, height }), plane(data, size)];
    const channel = Math.floor(index / perChannel) % channels;
    if (isSmall && channel < channels - (channels % lanes)) resampleInLanes(from, to);
    else resample(from, to, method, { profile: context.profile });
  }
  return { shape: [...source.shape.slice(0, -2), size.height, size.width], data };
}

const { fround } = Math;

function resampleInLanes(source: Plane, target: Plane): void {
  const across = linearTaps(source.width, target.width, true);
  const down = linearTaps(source.height, target.height, true);
  for (let y = 0, at = 0; y < target.height; y++) {
    const rows = [0, 1].map((tap) => (down.sources[y * 2 + tap] ?? 0) * source.width);
    for (let x = 0; x < target.width; x++, at++) {
      const corner = (row: number, column: number) => ({
        value: source.data[(rows[row] ?? 0) + (across.sources[x * 2 + column] ?? 0)] ?? 0,
        weight: fround((down.weights[y * 2 + row] ?? 0) * (across.weights[x * 2 + column] ?? 0)),
      });
      const last = corner(1, 0);
      let sum = fround(last.value * last.weight);
      for (const { value, weight } of [corner(1, 1), corner(0, 1), corner(0, 0)]) sum = fround(value * weight + sum);
      target.data[at] = sum;
    }
  }
}

function centred(value: Tensor, size: Size, floats: (count: number) => Float32Array): Tensor {
  const [width = 0, height = 0] = value.shape.toReversed();
  const { x, y } = centredMargins({ width, height }, size);
  if (x === 0 && y === 0) return value;
  const last = value.shape.length - 1;
  return narrowed(narrowed(value, last - 1, y, height - y * 2, floats), last, x, width - x * 2, floats);
}

// Arithmetic on latents. A second latent of another size is scaled to the first, a shorter batch is repeated.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../../execution/node-runner.ts";
import { float, latent } from "../../graph/describe-inputs.ts";
import type { Latent } from "../../pictures/picture.ts";
import { scaledLatent } from "../../pictures/scaling/scale-latent.ts";
import { countOf, repeatedTo, sameShape, sharedShape, spread, type Tensor } from "../../pictures/tensor.ts";

const outputs = [{ type: "LATENT", name: "LATENT" }] as const;
const category = "latent/advanced";
const { fround } = Math;

export async function reshapedTo(
  first: readonly number[],
  second: Tensor,
  context: NodeContext,
  isRepeated = true,
): Promise<Tensor> {
  const [width = 0, height = 0] = first.toReversed();
  const isSame = sameShape(first.slice(1), second.shape.slice(1));
  const sized = isSame ? second : await scaledLatent(second, { width, height }, "bilinear", "center", context);
  if (!sameShape(first.slice(1), sized.shape.slice(1))) {
    throw new NodeError("The latents have different numbers of channels or frames.");
  }
  return isRepeated ? repeatedTo(sized, first[0] ?? 0, (count) => context.floats(count, "A latent")) : sized;
}

function pairwise(name: string, description: string, combine: (one: number, two: number) => number): NodeRunner {
  return {
    description: {
      name,
      category,
      description,
      inputs: [latent("samples1"), latent("samples2")],
      outputs,
    },
    async run(inputs, context) {
      const one = inputs.latent("samples1");
      const two = await reshapedTo(one.shape, inputs.latent("samples2"), context);
      const data = context.floats(one.data.length, "A latent");
      for (let at = 0; at < data.length; at++) data[at] = combine(one.data[at] ?? 0, two.data[at] ?? 0);
      return [{ ...one, data }];
    },
  };
}

export const latentAdd = pairwise("LatentAdd", "Adds two latents.", (one, two) => one + two);
export const latentSubtract = pairwise(
  "LatentSubtract",
  "Subtracts the second latent from the first.",
  (one, two) => one - two,
);

export const latentMultiply: NodeRunner = {
  description: {
    name: "LatentMultiply",
    category,
    description: "Multiplies a latent by a number.",
    inputs: [latent("samples"), float("multiplier", 1, -10, 10, 0.01)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const factor = fround(inputs.float("multiplier"));
    const data = context.floats(source.data.length, "A latent");
    for (let at = 0; at < data.length; at++) data[at] = (source.data[at] ?? 0) * factor;
    return [{ ...source, data }];
  },
};

export const latentBlend: NodeRunner = {
  description: {
    name: "LatentBlend",
    displayName: "Latent Blend",
    category: "_for_testing",
    description: "Blends two latents; the second is scaled to the size of the first.",
    inputs: [latent("samples1"), latent("samples2"), float("blend_factor", 0.5, 0, 1, 0.01)],
    outputs,
  },
  async run(inputs, context) {
    const one = inputs.latent("samples1");
    const given = inputs.latent("samples2");
    const [, , height = 0, width = 0] = one.shape;
    const isFilm = one.shape.length !== 4 || given.shape.length !== 4;
    if (isFilm && !sameShape(one.shape, given.shape)) throw new NodeError("Video latents must have the same shape.");
    const two = sameShape(one.shape, given.shape)
      ? given
      : await scaledLatent(given, { width, height }, "bicubic", "center", context);
    const shape = sharedShape(one.shape, two.shape);
    if (shape === null) throw new NodeError("The latents have different numbers of pictures or channels.");
    const floats = (count: number) => context.floats(count, "A latent");
    const [left, right] = [spread(one, shape, floats), spread(two, shape, floats)];
    const [factor, rest] = [fround(inputs.float("blend_factor")), fround(1 - inputs.float("blend_factor"))];
    const data = floats(countOf(shape));
    for (let at = 0; at < data.length; at++) {
      data[at] = fround((left.data[at] ?? 0) * factor) + fround((right.data[at] ?? 0) * rest);
    }
    return [{ ...one, shape, data }];
  },
};

// The length of each pixel's channel vector, for every picture of a batch.
export function lengthsOf({ shape, data }: Tensor): Float32Array {
  const [batch = 0, channels = 0, ...rest] = shape;
  const size = countOf(rest);
  const out = new Float32Array(batch * size);
  for (let index = 0; index < batch; index++) {
    for (let at = 0; at < size; at++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) {
        const value = data[(index * channels + channel) * size + at] ?? 0;
        sum = fround(fround(value * value) + sum);
      }
      out[index * size + at] = Math.sqrt(sum);
    }
  }
  return out;
}

export const latentInterpolate: NodeRunner = {
  description: {
    name: "LatentInterpolate",
    category,
    description: "Interpolates between two latents; directions and magnitudes are blended separately.",
    inputs: [latent("samples1"), latent("samples2"), float("ratio", 1, 0, 1, 0.01)],
    outputs,
  },
  async run(inputs, context) {
    const one = inputs.latent("samples1");
    const two = await reshapedTo(one.shape, inputs.latent("samples2"), context);
    const ratio = inputs.float("ratio");
    return [{ ...one, data: interpolated(one, two.data, fround(ratio), fround(1 - ratio), context) }];
  },
};

// NaN becomes zero, and values out of range become the largest float.
function tamed(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.min(Math.max(value, -largestFloat), largestFloat);
}

const largestFloat = fround(3.4028234663852886e38);

function interpolated(one: Latent, two: Float32Array, ratio: number, rest: number, context: NodeContext): Float32Array {
  const [batch = 0, channels = 0, ...sides] = one.shape;
  const size = countOf(sides);
  // The application aligns a batch's lengths with the channels, which only works for one latent, or for as many as channels.
  if (batch !== 1 && batch !== channels) throw new NodeError(`A batch of ${batch} cannot be interpolated.`);
  const indexOf = (at: number) => (batch === 1 ? at % size : at % (size * channels));
  const [first, second] = [lengthsOf(one), lengthsOf({ shape: one.shape, data: two })];
  const mixed = context.floats(one.data.length, "A latent");
  for (let at = 0; at < mixed.length; at++) {
    const [left, right] = [
      tamed(fround((one.data[at] ?? 0) / (first[indexOf(at)] ?? 0))),
      tamed(fround((two[at] ?? 0) / (second[indexOf(at)] ?? 0))),
    ];
    mixed[at] = fround(left * ratio) + fround(right * rest);
  }
  const lengths = lengthsOf({ shape: one.shape, data: mixed });
  const data = context.floats(one.data.length, "A latent");
  for (let at = 0; at < data.length; at++) {
    const length = fround(fround((first[indexOf(at)] ?? 0) * ratio) + fround((second[indexOf(at)] ?? 0) * rest));
    data[at] = tamed(fround((mixed[at] ?? 0) / (lengths[indexOf(at)] ?? 0))) * length;
  }
  return data;
}

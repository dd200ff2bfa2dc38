// Operations on latents as values: one class makes them, another applies them.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { float, int, latent, operation } from "../../graph/describe-inputs.ts";
import { convolve } from "../../pictures/blur.ts";
import { cascadeSum, sumsOfColumns } from "../../pictures/cascade-sum.ts";
import { sharpeningKernel } from "../../pictures/gaussian.ts";
import type { Latent, OperationContext } from "../../pictures/picture.ts";
import { countOf } from "../../pictures/tensor.ts";
import { lengthsOf } from "./latent-arithmetic.ts";

const category = "latent/advanced/operations";
const outputs = [{ type: "LATENT_OPERATION", name: "LATENT_OPERATION" }] as const;
const { fround } = Math;

export const latentApplyOperation: NodeRunner = {
  description: {
    name: "LatentApplyOperation",
    category,
    description: "Applies an operation to latents.",
    inputs: [latent("samples"), operation("operation")],
    outputs: [{ type: "LATENT", name: "LATENT" }],
    isExperimental: true,
  },
  run: async (inputs, context) => [await inputs.operation("operation").apply(inputs.latent("samples"), context)],
};

type Apply = (latent: Latent, context: OperationContext) => Promise<Latent>;
const operationOf = (apply: Apply) => ({ kind: "operation", apply, data: new Float32Array() }) as const;

export const latentOperationTonemapReinhard: NodeRunner = {
  description: {
    name: "LatentOperationTonemapReinhard",
    category,
    description: "Compresses channel vectors that are much longer than the others.",
    inputs: [float("multiplier", 1, 0, 100, 0.01)],
    outputs,
    isExperimental: true,
  },
  weight: 0.1,
  run(inputs, { profile }) {
    const factor = fround(inputs.float("multiplier"));
    return [
      operationOf(async (source, context) => {
        // The older version measures each column of a video separately, and sounds not at all.
        const isOlder = profile === "0.7";
        if (isOlder && source.shape.length < 4) throw new NodeError("Only image and video latents can be used here.");
        const columns = isOlder ? countOf(source.shape.slice(4)) : 1;
        return { ...source, data: tonemapped(source, columns, factor, context) };
      }),
    ];
  },
};

function tonemapped(source: Latent, columns: number, factor: number, context: OperationContext): Float32Array {
  const [batch = 0, channels = 0, ...sides] = source.shape;
  const size = countOf(sides);
  const lengths = lengthsOf(source).map((length) => length + fround(1e-10));
  const data = context.floats(source.data.length, "A latent");
  for (let index = 0; index < batch; index++) {
    const own = lengths.subarray(index * size, (index + 1) * size);
    const tops = topsOf(own, columns).map((top) => top * factor);
    for (let at = 0; at < size; at++) {
      const length = own[at] ?? 0;
      const top = tops[at % columns] ?? 0;
      const scaled = fround(length * fround(1 / top));
      const bent = fround(fround(scaled / fround(scaled + 1)) * top);
      for (let channel = 0; channel < channels; channel++) {
        const position = (index * channels + channel) * size + at;
        data[position] = fround((source.data[position] ?? 0) / length) * bent;
      }
    }
  }
  return data;
}

// Five standard deviations above the mean, for every column.
function topsOf(values: Float32Array, columns: number): Float32Array {
  const rows = values.length / columns;
  const sums = columns === 1 ? Float32Array.of(cascadeSum(values)) : sumsOfColumns(values, columns);
  return sums.map((sum, column) => {
    const own = columns === 1 ? values : values.filter((_, at) => at % columns === column);
    return fround(deviationOf(own) * 5) + fround(sum / rows);
  });
}

// The sample deviation, in 64 bits.
function deviationOf(values: Float32Array): number {
  let [mean, squares] = [0, 0];
  for (const [index, value] of values.entries()) {
    const off = value - mean;
    mean += off / (index + 1);
    squares += off * (value - mean);
  }
  return fround(Math.sqrt(squares / (values.length - 1)));
}

export const latentOperationSharpen: NodeRunner = {
  description: {
    name: "LatentOperationSharpen",
    category,
    description: "Sharpens a latent; the magnitude of each pixel stays the same.",
    inputs: [
      int("sharpen_radius", 9, 1, 31, { step: 1 }),
      float("sigma", 1, 0.1, 10, 0.1),
      float("alpha", 0.1, 0, 5, 0.01),
    ],
    outputs,
    isExperimental: true,
  },
  weight: 0.1,
  run(inputs) {
    const radius = inputs.int("sharpen_radius");
    const kernel = sharpeningKernel(radius, inputs.float("sigma"), inputs.float("alpha") * 10);
    return [operationOf((source, context) => sharpened(source, radius, kernel, context))];
  },
};

async function sharpened(
  source: Latent,
  radius: number,
  kernel: Float32Array,
  context: OperationContext,
): Promise<Latent> {
  const [batch = 0, channels = 0, height = 0, width = 0] = source.shape;
  if (source.shape.length !== 4 || radius >= height || radius >= width) {
    throw new NodeError(`The radius ${radius} must be smaller than the latent of ${width} × ${height}.`);
  }
  const size = height * width;
  const lengths = lengthsOf(source).map((length) => length + fround(1e-6));
  const data = context.floats(source.data.length, "A latent");
  const directions = context.floats(source.data.length, "A latent");
  const lengthAt = (position: number) =>
    lengths[Math.floor(position / size / channels) * size + (position % size)] ?? 0;
  for (let at = 0; at < data.length; at++) directions[at] = (source.data[at] ?? 0) / lengthAt(at);
  for (let plane = 0; plane < batch * channels; plane++) {
    await context.breathe(plane, batch * channels);
    const part = (of: Float32Array) => of.subarray(plane * size, (plane + 1) * size);
    convolve({ height, width, channels: 1, data: part(directions) }, part(data), kernel);
  }
  for (let at = 0; at < data.length; at++) data[at] = lengthAt(at) * (data[at] ?? 0);
  return { ...source, data };
}

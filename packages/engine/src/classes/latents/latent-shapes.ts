// Latents cropped, joined, scaled and composited. Positions and sizes are in pixels, eight per latent step.
import type { Inputs } from "../../execution/inputs.ts";
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { choice, flag, float, height, int, latent, mask, offset, sideMax, width } from "../../graph/describe-inputs.ts";
import { layOverLatent, pastedLatent } from "../../pictures/composite-latent.ts";
import { roundHalfEven, type Size } from "../../pictures/picture.ts";
import { crops } from "../../pictures/scaling/scale.ts";
import { latentMethods, scaledLatent } from "../../pictures/scaling/scale-latent.ts";
import { countOf, joined, narrowed, repeatedTo, sameShape } from "../../pictures/tensor.ts";

const outputs = [{ type: "LATENT", name: "LATENT" }] as const;
const advanced = "latent/advanced";
const step = 8;

const methodOf = (inputs: Inputs) => inputs.oneOf("upscale_method", latentMethods);

export const latentUpscale: NodeRunner = {
  description: {
    name: "LatentUpscale",
    displayName: "Upscale Latent",
    category: "latent",
    description: "Scales latents to a size in pixels; 0 for one side keeps the aspect ratio.",
    inputs: [
      latent("samples"),
      choice("upscale_method", latentMethods),
      width(0, 512, step),
      height(0, 512, step),
      choice("crop", crops),
    ],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.latent("samples");
    const size = upscaledSize(source.shape, inputs.int("width"), inputs.int("height"));
    if (!size) return [source];
    return [
      { ...source, ...(await scaledLatent(source, size, methodOf(inputs), inputs.oneOf("crop", crops), context)) },
    ];
  },
};

// No side gets smaller than 64 pixels. A missing side is computed from the latent's own steps.
function upscaledSize(shape: readonly number[], width: number, height: number): Size | null {
  if (width === 0 && height === 0) return null;
  const [across = 1, down = 1] = shape.toReversed();
  const [wide, high] = [Math.max(64, width), Math.max(64, height)];
  const pixels = {
    width: width === 0 ? Math.max(64, roundHalfEven((across * high) / down)) : wide,
    height: height === 0 ? Math.max(64, roundHalfEven((down * wide) / across)) : high,
  };
  return { width: Math.floor(pixels.width / step), height: Math.floor(pixels.height / step) };
}

export const latentUpscaleBy: NodeRunner = {
  description: {
    name: "LatentUpscaleBy",
    displayName: "Upscale Latent By",
    category: "latent",
    description: "Scales both sides of latents by a factor.",
    inputs: [latent("samples"), choice("upscale_method", latentMethods), float("scale_by", 1.5, 0.01, 8, 0.01)],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.latent("samples");
    const [across = 1, down = 1] = source.shape.toReversed();
    const by = inputs.float("scale_by");
    const size = { width: roundHalfEven(across * by), height: roundHalfEven(down * by) };
    if (size.width < 1 || size.height < 1) throw new NodeError("The latent would be empty.");
    return [{ ...source, ...(await scaledLatent(source, size, methodOf(inputs), "disabled", context)) }];
  },
};

export const latentCrop: NodeRunner = {
  description: {
    name: "LatentCrop",
    displayName: "Crop Latent",
    category: "latent/transform",
    description: "Crops latents to a rectangle of at least 64 pixels.",
    inputs: [latent("samples"), width(64, 512, step), height(64, 512, step), offset("x", step), offset("y", step)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const floats = (count: number) => context.floats(count, "A latent");
    if (source.shape.length < 4) throw new NodeError("The latent has no rows and columns to cut.");
    const cut = (dimension: number, input: string, length: string) => {
      const side = source.shape[dimension] ?? 0;
      const start = Math.min(Math.floor(inputs.int(input) / step), side - step);
      return sliceOf(side, start, start + Math.floor(inputs.int(length) / step));
    };
    const [across, down] = [cut(3, "x", "width"), cut(2, "y", "height")];
    const rows = narrowed(source, 2, down.start, down.length, floats);
    return [{ ...source, ...narrowed(rows, 3, across.start, across.length, floats) }];
  },
};

// Slices like Python: a negative index counts from the end, so a latent of fewer than eight steps loses its beginning.
function sliceOf(side: number, from: number, to: number): { readonly start: number; readonly length: number } {
  const at = (index: number) => Math.max(0, Math.min(index < 0 ? index + side : index, side));
  return { start: at(from), length: Math.max(0, at(to) - at(from)) };
}

const dimensionOf = (shape: readonly number[], name: string): number =>
  shape.length - (name.includes("x") ? 1 : name.includes("y") ? 2 : 3);

export const latentConcat: NodeRunner = {
  description: {
    name: "LatentConcat",
    category: advanced,
    description: "Joins two latents side by side, one above the other, or one after the other.",
    inputs: [latent("samples1"), latent("samples2"), choice("dim", ["x", "-x", "y", "-y", "t", "-t"])],
    outputs,
  },
  run(inputs, context) {
    const floats = (count: number) => context.floats(count, "A latent");
    const one = inputs.latent("samples1");
    const two = repeatedTo(inputs.latent("samples2"), one.shape[0] ?? 0, floats);
    const name = inputs.choice("dim");
    const dimension = dimensionOf(one.shape, name);
    const without = (shape: readonly number[]) => shape.filter((_, index) => index !== dimension);
    if (!sameShape(without(one.shape), without(two.shape))) throw new NodeError("The latents do not fit together.");
    return [{ ...one, ...joined(name.startsWith("-") ? [two, one] : [one, two], dimension, floats) }];
  },
};

export const latentCut: NodeRunner = {
  description: {
    name: "LatentCut",
    category: advanced,
    description: "Cuts a part of latents along one dimension; a negative index counts from the end.",
    inputs: [
      latent("samples"),
      choice("dim", ["x", "y", "t"]),
      int("index", 0, -sideMax, sideMax, { step: 1 }),
      int("amount", 1, 1, sideMax, { step: 1 }),
    ],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const dimension = dimensionOf(source.shape, inputs.choice("dim"));
    const side = source.shape[dimension] ?? 0;
    const [index, amount] = [inputs.int("index"), inputs.int("amount")];
    const start = index >= 0 ? Math.min(index, side - 1) : Math.max(index, -side) + side;
    const length = Math.min(side - start, amount);
    return [{ ...source, ...narrowed(source, dimension, start, length, (count) => context.floats(count, "A latent")) }];
  },
};

export const latentCutToBatch: NodeRunner = {
  description: {
    name: "LatentCutToBatch",
    category: advanced,
    description: "Cuts latents into slices along one dimension and makes them a batch.",
    inputs: [latent("samples"), choice("dim", ["t", "x", "y"]), int("slice_size", 1, 1, sideMax, { step: 1 })],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const dimension = dimensionOf(source.shape, inputs.choice("dim"));
    if (dimension < 2) return [source];
    const floats = (count: number) => context.floats(count, "A latent");
    const side = source.shape[dimension] ?? 0;
    const size = Math.min(side, inputs.int("slice_size"));
    const [batch = 0] = source.shape;
    const slices = Array.from({ length: batch * Math.floor(side / size) }, (_, index) => {
      const [of, slice] = [Math.floor(index / Math.floor(side / size)), index % Math.floor(side / size)];
      return narrowed(narrowed(source, 0, of, 1, floats), dimension, slice * size, size, floats);
    });
    return [{ ...source, ...joined(slices, 0, floats) }];
  },
};

export const latentComposite: NodeRunner = {
  description: {
    name: "LatentComposite",
    displayName: "Latent Composite",
    category: "latent",
    description: "Places latents on others at a position, with optional soft edges.",
    inputs: [
      latent("samples_to"),
      latent("samples_from"),
      offset("x", step),
      offset("y", step),
      offset("feather", step),
    ],
    outputs,
  },
  run(inputs, context) {
    const [to, from] = [inputs.latent("samples_to"), inputs.latent("samples_from")];
    const steps = (name: string) => Math.floor(inputs.int(name) / step);
    const data = context.floats(to.data.length, "A latent");
    data.set(to.data);
    pastedLatent({ ...to, data }, from, { x: steps("x"), y: steps("y") }, steps("feather"));
    return [{ ...to, data }];
  },
};

export const latentCompositeMasked: NodeRunner = {
  description: {
    name: "LatentCompositeMasked",
    category: "latent",
    description: "Places latents on others at a position, through a mask.",
    inputs: [
      latent("destination"),
      latent("source"),
      offset("x", step),
      offset("y", step),
      flag("resize_source", false),
      mask("mask", { optional: true }),
    ],
    outputs,
  },
  async run(inputs, context) {
    const floats = (count: number) => context.floats(count, "A latent");
    const destination = inputs.latent("destination");
    const [batch = 0, channels = 0, down = 0, across = 0] = destination.shape;
    const given = inputs.latent("source");
    const size = { width: across, height: down };
    const resized = inputs.flag("resize_source")
      ? await scaledLatent(given, size, "bilinear", "disabled", context)
      : given;
    const source = repeatedTo(resized, batch, floats);
    if (source.shape.length !== 4 || destination.shape.length !== 4 || source.shape[1] !== channels) {
      throw new NodeError("The latents do not fit together.");
    }
    const [wide = 0, high = 0] = source.shape.toReversed();
    const through = inputs.optional("mask", "mask");
    const plain = through && { shape: [through.batch, 1, through.height, through.width], data: through.data };
    const scaled = plain && (await scaledLatent(plain, { width: wide, height: high }, "bilinear", "disabled", context));
    const data = floats(countOf(destination.shape));
    data.set(destination.data);
    const limit = (offset: number, most: number) => Math.floor(Math.min(offset, most * step) / step);
    const offset = { x: limit(inputs.int("x"), across), y: limit(inputs.int("y"), down) };
    layOverLatent({ ...destination, data }, source, scaled && repeatedTo(scaled, batch, floats), offset);
    return [{ ...destination, data }];
  },
};

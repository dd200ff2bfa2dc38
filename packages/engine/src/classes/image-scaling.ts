// Classes that change a picture's size. pictures/scale.ts does the arithmetic; this file only decides on the size.
import type { Inputs } from "../execution/inputs.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { choice, float, height, image, int, scaleMethods, sideMax, width } from "../graph/describe-inputs.ts";
import { planeOf, planes, roundHalfEven, type Size } from "../pictures/picture.ts";
import { crops, scaled } from "../pictures/scaling/scale.ts";
import { insert } from "./image-transforms.ts";

const category = "image/upscaling";
const outputs = [{ type: "IMAGE", name: "IMAGE" }] as const;

const methodOf = (inputs: Inputs) => inputs.oneOf("upscale_method", scaleMethods);

export const imageScale: NodeRunner = {
  description: {
    name: "ImageScale",
    displayName: "Upscale Image",
    category,
    description: "Scales to a size; 0 for one side keeps the aspect ratio.",
    inputs: [image("image"), choice("upscale_method", scaleMethods), width(0), height(0), choice("crop", crops)],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.image("image");
    const size = completeSize(source, inputs.int("width"), inputs.int("height"));
    if (!size) return [source];
    return [await scaled(source, size, methodOf(inputs), inputs.oneOf("crop", crops), context)];
  },
};

// A side of 0 keeps the aspect ratio. `null` if neither side was given.
export function completeSize(source: Size, width: number, height: number): Size | null {
  if (width === 0 && height === 0) return null;
  if (width === 0) return { width: Math.max(1, roundHalfEven((source.width * height) / source.height)), height };
  if (height === 0) return { width, height: Math.max(1, roundHalfEven((source.height * width) / source.width)) };
  return { width, height };
}

export const imageScaleBy: NodeRunner = {
  description: {
    name: "ImageScaleBy",
    displayName: "Upscale Image By",
    category,
    description: "Scales both sides by a factor.",
    inputs: [image("image"), choice("upscale_method", scaleMethods), float("scale_by", 1, 0.01, 8, 0.01)],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.image("image");
    const by = inputs.float("scale_by");
    const size = { width: roundHalfEven(source.width * by), height: roundHalfEven(source.height * by) };
    return [await scaled(source, size, methodOf(inputs), "disabled", context)];
  },
};

export const imageScaleToTotalPixels: NodeRunner = {
  description: {
    name: "ImageScaleToTotalPixels",
    category,
    description: "Scales to about this many megapixels (of 1024 × 1024) and keeps the aspect ratio.",
    inputs: [
      image("image"),
      choice("upscale_method", scaleMethods),
      float("megapixels", 1, 0.01, 16, 0.01),
      int("resolution_steps", 1, 1, 256),
    ],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.image("image");
    const by = Math.sqrt((inputs.float("megapixels") * 1024 * 1024) / (source.width * source.height));
    const step = inputs.int("resolution_steps");
    const size = {
      width: roundHalfEven((source.width * by) / step) * step,
      height: roundHalfEven((source.height * by) / step) * step,
    };
    return [await scaled(source, size, methodOf(inputs), "disabled", context)];
  },
};

export const imageScaleToMaxDimension: NodeRunner = {
  description: {
    name: "ImageScaleToMaxDimension",
    category,
    description: "Scales the longer side to a length and keeps the aspect ratio.",
    inputs: [
      image("image"),
      // One of them is listed twice, as in the application.
      choice("upscale_method", ["area", "lanczos", "bilinear", "nearest-exact", "bilinear", "bicubic"]),
      int("largest_size", 512, 0, sideMax, { step: 1 }),
    ],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.image("image");
    const longest = inputs.int("largest_size");
    const size = {
      width: source.height > source.width ? roundHalfEven((source.width / source.height) * longest) : longest,
      height: source.width > source.height ? roundHalfEven((source.height / source.width) * longest) : longest,
    };
    return [await scaled(source, size, methodOf(inputs), "disabled", context)];
  },
};

// The sizes one model was trained with, from portrait to landscape.
const trainedSizes = [
  [672, 1568],
  [688, 1504],
  [720, 1456],
  [752, 1392],
  [800, 1328],
  [832, 1248],
  [880, 1184],
  [944, 1104],
  [1024, 1024],
] as const;

export const fluxKontextImageScale: NodeRunner = {
  description: {
    name: "FluxKontextImageScale",
    category: "advanced/conditioning/flux",
    description: "Scales to the training size of the model with the closest aspect ratio.",
    inputs: [image("image")],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.image("image");
    const shape = source.width / source.height;
    const both = trainedSizes.flatMap(([short, long]) => [
      { width: short, height: long },
      { width: long, height: short },
    ]);
    const off = ({ width, height }: Size) => Math.abs(shape - width / height);
    const [nearest] = both.toSorted((one, other) => off(one) - off(other) || one.width - other.width);
    return [nearest ? await scaled(source, nearest, "lanczos", "center", context) : source];
  },
};

export const resizeAndPadImage: NodeRunner = {
  description: {
    name: "ResizeAndPadImage",
    category: "image/transform",
    description: "Scales to fit into a size and fills the rest with white or black.",
    inputs: [
      image("image"),
      int("target_width", 512, 1, sideMax, { step: 1 }),
      int("target_height", 512, 1, sideMax, { step: 1 }),
      choice("padding_color", ["white", "black"]),
      choice("interpolation", ["area", "bicubic", "nearest-exact", "bilinear", "lanczos"]),
    ],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const source = inputs.image("image");
    const [toWidth, toHeight] = [inputs.int("target_width"), inputs.int("target_height")];
    const by = Math.min(toWidth / source.width, toHeight / source.height);
    const size = { width: Math.trunc(source.width * by), height: Math.trunc(source.height * by) };
    const inner = await scaled(source, size, inputs.oneOf("interpolation", scaleMethods), "disabled", context);
    const out = context.image(source.batch, toHeight, toWidth, source.channels);
    if (inputs.choice("padding_color") === "white") out.data.fill(1);
    const [left, top] = [Math.floor((toWidth - size.width) / 2), Math.floor((toHeight - size.height) / 2)];
    for (const [index, plane] of planes(inner).entries()) insert(plane, planeOf(out, index), left, top);
    return [out];
  },
};

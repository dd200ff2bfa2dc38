// Classes that analyse pictures: shapes, edges, brightness and colour channels.
import type { ApplicationProfile } from "../application-profile.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { choice, float, image, int, output } from "../graph/describe-inputs.ts";
import { edgesOf } from "../pictures/canny.ts";
import { extremes } from "../pictures/morphology.ts";
import { type Picture, type Plane, planeOf, planes } from "../pictures/picture.ts";

const outputs = [{ type: "IMAGE", name: "IMAGE" }] as const;
const { fround } = Math;

const operations = ["erode", "dilate", "open", "close", "gradient", "bottom_hat", "top_hat"] as const;
type Operation = (typeof operations)[number];

export const morphology: NodeRunner = {
  description: {
    name: "Morphology",
    displayName: "ImageMorphology",
    category: "image/postprocessing",
    description: "Grows or shrinks the bright areas with a square kernel.",
    inputs: [image("image"), choice("operation", operations), int("kernel_size", 3, 3, 999, { step: 1 })],
    outputs,
  },
  weight: 3,
  async run(inputs, context) {
    const source = inputs.image("image");
    const operation = inputs.oneOf("operation", operations);
    const out = context.image(source.batch, source.height, source.width, source.channels);
    context.expect(source.data.byteLength * 3, "Growing and shrinking");
    for (const [index, plane] of planes(source).entries()) {
      await context.breathe(index, source.batch);
      planeOf(out, index).data.set(shaped(plane, operation, inputs.int("kernel_size"), context.profile));
    }
    return [out];
  },
};

// A square of even size has no centre. Newer versions of the application's library mirror it for dilation.
function shaped(plane: Plane, operation: Operation, size: number, profile: ApplicationProfile): Float32Array {
  const [half, rest] = [size >> 1, size - (size >> 1) - 1];
  const erode = (of: Plane) => extremes(of, { before: half, after: rest }, "least");
  const dilate = (of: Plane) =>
    extremes(of, profile === "0.30" ? { before: rest, after: half } : { before: half, after: rest }, "most");
  const less = (one: Float32Array, other: Float32Array) => one.map((value, at) => value - (other[at] ?? 0));
  switch (operation) {
    case "erode":
      return erode(plane).data;
    case "dilate":
      return dilate(plane).data;
    case "open":
      return dilate(erode(plane)).data;
    case "close":
      return erode(dilate(plane)).data;
    case "gradient":
      return less(dilate(plane).data, erode(plane).data);
    case "bottom_hat":
      return less(erode(dilate(plane)).data, plane.data);
    case "top_hat":
      return less(plane.data, dilate(erode(plane)).data);
  }
}

export const canny: NodeRunner = {
  description: {
    name: "Canny",
    category: "image/preprocessors",
    description: "Draws edges as white lines on black.",
    inputs: [
      image("image"),
      float("low_threshold", 0.4, 0.01, 0.99, 0.01),
      float("high_threshold", 0.8, 0.01, 0.99, 0.01),
    ],
    outputs,
  },
  weight: 3,
  async run(inputs, context) {
    const source = inputs.image("image");
    const [low, high] = [inputs.float("low_threshold"), inputs.float("high_threshold")];
    if (low > high) throw new NodeError("low_threshold must not be larger than high_threshold.");
    if (source.channels !== 3 && source.channels !== 1) throw new NodeError("The picture must have three channels.");
    if (source.width < 3 || source.height < 3)
      throw new NodeError("The picture must be at least three pixels on each side.");
    const out = context.image(source.batch, source.height, source.width, 3);
    for (const [index, plane] of planes(source).entries()) {
      await context.breathe(index, source.batch);
      const { data } = planeOf(out, index);
      for (const [at, edge] of edgesOf(plane, low, high).entries()) data.fill(edge, at * 3, at * 3 + 3);
    }
    return [out];
  },
};

export const imageRgbToYuv: NodeRunner = {
  description: {
    name: "ImageRGBToYUV",
    category: "image/batch",
    description: "Splits a picture into brightness and two colour differences, each as a grey picture.",
    inputs: [image("image")],
    outputs: [output("IMAGE", "Y"), output("IMAGE", "U"), output("IMAGE", "V")],
  },
  run(inputs, context) {
    const source = inputs.image("image");
    if (source.channels !== 3) throw new NodeError("The picture must have three channels.");
    const parts = [0, 1, 2].map(() => context.image(source.batch, source.height, source.width, 3));
    for (let at = 0; at < source.data.length; at += 3) {
      const [red = 0, green = 0, blue = 0] = source.data.subarray(at, at + 3);
      const two = fround(fround(weights[0] * red) + fround(weights[1] * green));
      const brightness = fround(two + fround(weights[2] * blue));
      const difference = (colour: number, by: number) => fround(fround(colour - brightness) * by) + 0.5;
      for (const [index, value] of [brightness, difference(blue, weights[3]), difference(red, weights[4])].entries()) {
        parts[index]?.data.fill(value, at, at + 3);
      }
    }
    return parts;
  },
};

const weights = [fround(0.299), fround(0.587), fround(0.114), fround(0.564), fround(0.713)] as const;
// The application's library rounded these at first; later versions use the exact inverse.
const inverses = {
  "0.7": [fround(1.403), fround(0.714), fround(0.344), fround(1.773)],
  "0.30": [fround(1.4025245442), fround(0.7144034731), fround(0.3443401356), fround(1.7730496454)],
} as const;
const clamped = (value: number): number => Math.min(Math.max(value, 0), 1);

export const imageYuvToRgb: NodeRunner = {
  description: {
    name: "ImageYUVToRGB",
    category: "image/batch",
    description: "Builds a picture from brightness and two colour differences.",
    inputs: [image("Y"), image("U"), image("V")],
    outputs,
  },
  run(inputs, context) {
    const parts = ["Y", "U", "V"].map((name) => inputs.image(name));
    const [first, ...others] = parts;
    if (!first || others.some((part) => !isLike(first, part)))
      throw new NodeError("The three pictures must have the same size, channels and batch size.");
    const out = context.image(first.batch, first.height, first.width, 3);
    const back = inverses[context.profile];
    for (let pixel = 0; pixel * 3 < out.data.length; pixel++) {
      const [y = 0, u = 0, v = 0] = parts.map((part) => meanOf(part, pixel));
      const [blueness, redness] = [fround(u - 0.5), fround(v - 0.5)];
      const green = fround(fround(y - fround(back[1] * redness)) - fround(back[2] * blueness));
      const red = fround(y + fround(back[0] * redness));
      const blue = fround(y + fround(back[3] * blueness));
      out.data.set([red, green, blue].map(clamped), pixel * 3);
    }
    return [out];
  },
};

const isLike = (one: Picture, other: Picture): boolean =>
  one.batch === other.batch && one.height === other.height && one.width === other.width;

function meanOf({ data, channels }: Picture, pixel: number): number {
  let sum = 0;
  for (let channel = 0; channel < channels; channel++) sum = fround(sum + (data[pixel * channels + channel] ?? 0));
  return fround(sum / channels);
}

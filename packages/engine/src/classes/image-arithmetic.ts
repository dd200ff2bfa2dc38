// Classes that compute with the colours themselves.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { choice, flag, float, image, int, mask, offset } from "../graph/describe-inputs.ts";
import { blendInto, blendModes } from "../pictures/blend.ts";
import { convolve } from "../pictures/blur.ts";
import { alignedTo } from "../pictures/channels.ts";
import { layOver } from "../pictures/composite.ts";
import { gaussianKernel, sharpeningKernel } from "../pictures/gaussian.ts";
import { type Picture, type Plane, planeOf, planes, sameSize } from "../pictures/picture.ts";
import { scaled } from "../pictures/scaling/scale.ts";

const outputs = [{ type: "IMAGE", name: "IMAGE" }] as const;
const postprocessing = "image/postprocessing";

export const imageInvert: NodeRunner = {
  description: {
    name: "ImageInvert",
    displayName: "Invert Image",
    category: "image",
    description: "1 − colour.",
    inputs: [image("image")],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const data = context.floats(source.data.length, "The inverted picture");
    for (let at = 0; at < data.length; at++) data[at] = 1 - (source.data[at] ?? 0);
    return [{ ...source, data }];
  },
};

export const imageBlend: NodeRunner = {
  description: {
    name: "ImageBlend",
    category: postprocessing,
    description: "Blends two pictures; the second is scaled to the size of the first.",
    inputs: [
      image("image1"),
      image("image2"),
      float("blend_factor", 0.5, 0, 1, 0.01),
      choice("blend_mode", blendModes),
    ],
    outputs,
  },
  async run(inputs, context) {
    const one = inputs.image("image1");
    const other = alignedTo(one, inputs.image("image2"), context);
    const two = sameSize(one, other) ? other : await scaled(other, one, "bicubic", "center", context);
    const mode = inputs.oneOf("blend_mode", blendModes);
    const batch = commonBatch(one, two);
    const repeated = one.batch === batch ? one.data : repeat(one, batch, context);
    const data = context.floats(repeated.length, "A blended picture");
    blendInto(data, repeated, two.data, inputs.float("blend_factor"), mode);
    return [{ ...one, batch, data }];
  },
};

// Batches must have equal length, unless one is a single picture.
function commonBatch(one: Picture, two: Picture): number {
  if (one.batch === two.batch || two.batch === 1) return one.batch;
  if (one.batch === 1) return two.batch;
  throw new NodeError(`A batch of ${one.batch} cannot be blended with a batch of ${two.batch}.`);
}

function repeat(picture: Picture, batch: number, context: { floats(count: number, what: string): Float32Array }) {
  const data = context.floats(picture.data.length * batch, "A repeated picture");
  for (let index = 0; index < batch; index++) data.set(picture.data, index * picture.data.length);
  return data;
}

export const imageBlur: NodeRunner = {
  description: {
    name: "ImageBlur",
    category: postprocessing,
    description: "Gaussian blur; sigma is a multiple of the radius.",
    inputs: [image("image"), int("blur_radius", 1, 1, 31, { step: 1 }), float("sigma", 1, 0.1, 10, 0.1)],
    outputs,
  },
  weight: 3,
  async run(inputs, context) {
    const source = inputs.image("image");
    const radius = inputs.int("blur_radius");
    const out = context.image(source.batch, source.height, source.width, source.channels);
    const kernel = gaussianKernel(radius, inputs.float("sigma"));
    await eachPlane(source, radius, context, (plane, index) => {
      convolve(plane, planeOf(out, index).data, kernel);
    });
    return [out];
  },
};

async function eachPlane(
  source: Picture,
  radius: number,
  context: NodeContext,
  work: (plane: Plane, index: number) => void,
): Promise<void> {
  if (radius >= source.width || radius >= source.height) {
    throw new NodeError(`The radius ${radius} must be smaller than the picture of ${source.width} × ${source.height}.`);
  }
  for (const [index, plane] of planes(source).entries()) {
    await context.breathe(index, source.batch);
    work(plane, index);
  }
}

export const imageSharpen: NodeRunner = {
  description: {
    name: "ImageSharpen",
    category: postprocessing,
    description: "Sharpens: adds back the detail that a blur removes, times ten alpha.",
    inputs: [
      image("image"),
      int("sharpen_radius", 1, 1, 31, { step: 1 }),
      float("sigma", 1, 0.1, 10, 0.01),
      float("alpha", 1, 0, 5, 0.01),
    ],
    outputs,
  },
  weight: 3,
  async run(inputs, context) {
    const source = inputs.image("image");
    const out = context.image(source.batch, source.height, source.width, source.channels);
    const radius = inputs.int("sharpen_radius");
    const kernel = sharpeningKernel(radius, inputs.float("sigma"), inputs.float("alpha") * 10);
    await eachPlane(source, radius, context, (plane, index) => {
      convolve(plane, planeOf(out, index).data, kernel, { low: 0, high: 1 });
    });
    return [out];
  },
};

export const imageCompositeMasked: NodeRunner = {
  description: {
    name: "ImageCompositeMasked",
    category: "image",
    description: "Places a picture on another at a position, through a mask.",
    inputs: [
      image("destination"),
      image("source"),
      offset("x"),
      offset("y"),
      flag("resize_source", false),
      mask("mask", { optional: true }),
    ],
    outputs,
  },
  weight: 2,
  async run(inputs, context) {
    const destination = inputs.image("destination");
    const given = alignedTo(destination, inputs.image("source"), context);
    const source = inputs.flag("resize_source")
      ? await scaled(given, destination, "bilinear", "disabled", context)
      : given;
    const through = inputs.optional("mask", "mask");
    const sized =
      !through || sameSize(through, source) ? through : await scaled(through, source, "bilinear", "disabled", context);
    const data = context.floats(destination.data.length, "A composite");
    data.set(destination.data);
    const out: Picture = { ...destination, data };
    for (let index = 0; index < out.batch; index++) {
      await context.breathe(index, out.batch);
      const through = sized ? planeOf(sized, index % sized.batch) : null;
      const over = planeOf(source, index % source.batch);
      layOver(planeOf(out, index), over, through, inputs.int("x"), inputs.int("y"));
    }
    return [out];
  },
};

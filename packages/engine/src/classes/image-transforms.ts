// Classes that move pixels without changing them.
import type { NodeRunner } from "../execution/node-runner.ts";
import { choice, height, image, int, offset, sideMax, width } from "../graph/describe-inputs.ts";
import { cropped } from "../pictures/crop.ts";
import { outpaintMask } from "../pictures/outpaint.ts";
import { type Plane, planeOf, planes } from "../pictures/picture.ts";
import { flipPlane, quarterTurns, turnPlane } from "../pictures/turn.ts";

const category = "image/transform";
const outputs = [{ type: "IMAGE", name: "IMAGE" }] as const;

export const imageCrop: NodeRunner = {
  description: {
    name: "ImageCrop",
    displayName: "Image Crop",
    category,
    description: "Crops a picture to a rectangle.",
    inputs: [image("image"), width(1), height(1), offset("x"), offset("y")],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const x = Math.min(inputs.int("x"), source.width - 1);
    const y = Math.min(inputs.int("y"), source.height - 1);
    return [cropped(source, { x, y, width: inputs.int("width"), height: inputs.int("height") }, context)];
  },
};

export const flipMethods = ["x-axis: vertically", "y-axis: horizontally"] as const;
export const rotations = ["none", "90 degrees", "180 degrees", "270 degrees"] as const;

export const imageFlip: NodeRunner = {
  description: {
    name: "ImageFlip",
    category,
    description: "Mirrors a picture.",
    inputs: [image("image"), choice("flip_method", flipMethods)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const isVertical = inputs.choice("flip_method").startsWith("x");
    const out = context.image(source.batch, source.height, source.width, source.channels);
    for (let index = 0; index < source.batch; index++) {
      flipPlane(planeOf(source, index), planeOf(out, index).data, isVertical);
    }
    return [out];
  },
};

export const imageRotate: NodeRunner = {
  description: {
    name: "ImageRotate",
    category,
    description: "Rotates a picture clockwise by quarter turns.",
    inputs: [image("image"), choice("rotation", rotations)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const turns = quarterTurns(inputs.choice("rotation"));
    if (turns === 0) return [source];
    const [toHeight, toWidth] = turns === 2 ? [source.height, source.width] : [source.width, source.height];
    const out = context.image(source.batch, toHeight, toWidth, source.channels);
    for (let index = 0; index < source.batch; index++) {
      turnPlane(planeOf(source, index), planeOf(out, index).data, turns);
    }
    return [out];
  },
};

export const imagePadForOutpaint: NodeRunner = {
  description: {
    name: "ImagePadForOutpaint",
    displayName: "Pad Image for Outpainting",
    category: "image",
    description: "Adds grey margins and a matching mask that fades into the picture.",
    inputs: [
      image("image"),
      offset("left", 8),
      offset("top", 8),
      offset("right", 8),
      offset("bottom", 8),
      int("feathering", 40, 0, sideMax, { step: 1 }),
    ],
    outputs: [...outputs, { type: "MASK", name: "MASK" }],
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const margins = {
      left: inputs.int("left"),
      top: inputs.int("top"),
      right: inputs.int("right"),
      bottom: inputs.int("bottom"),
    };
    const toWidth = source.width + margins.left + margins.right;
    const toHeight = source.height + margins.top + margins.bottom;
    const out = context.image(source.batch, toHeight, toWidth, source.channels);
    out.data.fill(0.5);
    for (const [index, plane] of planes(source).entries())
      insert(plane, planeOf(out, index), margins.left, margins.top);
    const mask = context.mask(1, toHeight, toWidth);
    outpaintMask(planeOf(mask, 0), source, margins, inputs.int("feathering"));
    return [out, mask];
  },
};

// Copies a whole picture into a larger one.
export function insert(source: Plane, target: Plane, left: number, top: number): void {
  const rowLength = source.width * source.channels;
  for (let y = 0; y < source.height; y++) {
    const row = source.data.subarray(y * rowLength, (y + 1) * rowLength);
    target.data.set(row, ((top + y) * target.width + left) * target.channels);
  }
}

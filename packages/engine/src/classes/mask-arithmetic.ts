// Masks from pictures and back, and masks combined.
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { choice, flag, image, int, mask, offset, sideMax } from "../graph/describe-inputs.ts";
import { greyPicture } from "../pictures/channels.ts";
import { growOnce } from "../pictures/grow.ts";
import { type Mask, planeOf, planes } from "../pictures/picture.ts";

const category = "mask";
const outputs = [{ type: "MASK", name: "MASK" }] as const;
const channelNames: readonly string[] = ["red", "green", "blue", "alpha"];

export const maskToImage: NodeRunner = {
  description: {
    name: "MaskToImage",
    displayName: "Convert Mask to Image",
    category,
    description: "Turns a mask into a grey picture.",
    inputs: [mask("mask")],
    outputs: [{ type: "IMAGE", name: "IMAGE" }],
  },
  run: (inputs, context) => [greyPicture(inputs.mask("mask"), context)],
};

export const imageToMask: NodeRunner = {
  description: {
    name: "ImageToMask",
    displayName: "Convert Image to Mask",
    category,
    description: "Takes one channel of a picture as a mask.",
    inputs: [image("image"), choice("channel", channelNames)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const channel = channelNames.indexOf(inputs.choice("channel"));
    if (channel >= source.channels) throw new NodeError("channel: the picture has no alpha channel.");
    const out = context.mask(source.batch, source.height, source.width);
    for (let pixel = 0, from = channel; pixel < out.data.length; pixel++, from += source.channels) {
      out.data[pixel] = source.data[from] ?? 0;
    }
    return [out];
  },
};

export const imageColorToMask: NodeRunner = {
  description: {
    name: "ImageColorToMask",
    category,
    description: "Makes a mask that is 1 where the picture has exactly this colour.",
    inputs: [image("image"), int("color", 0, 0, 0xffffff, { step: 1, display: "number" })],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const color = inputs.int("color");
    const out = context.mask(source.batch, source.height, source.width);
    const level = (at: number) => roundedLevel(source.data[at] ?? 0);
    for (let pixel = 0, from = 0; pixel < out.data.length; pixel++, from += source.channels) {
      const found = (level(from) << 16) + (level(from + 1) << 8) + level(from + 2);
      out.data[pixel] = found === color ? 1 : 0;
    }
    return [out];
  },
};

// Rounds to the nearest level, halves to even.
function roundedLevel(value: number): number {
  const scaled = Math.fround(Math.min(Math.max(value, 0), 1) * 255);
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

type Combine = (destination: number, source: number) => number;
const isSet = (value: number) => value > 0.5;
const combinations: Readonly<Record<string, Combine>> = {
  multiply: (destination, source) => destination * source,
  add: (destination, source) => destination + source,
  subtract: (destination, source) => destination - source,
  and: (destination, source) => (isSet(destination) && isSet(source) ? 1 : 0),
  or: (destination, source) => (isSet(destination) || isSet(source) ? 1 : 0),
  xor: (destination, source) => (isSet(destination) !== isSet(source) ? 1 : 0),
};

export const maskComposite: NodeRunner = {
  description: {
    name: "MaskComposite",
    category,
    description: "Combines a mask with another at a position.",
    inputs: [
      mask("destination"),
      mask("source"),
      offset("x"),
      offset("y"),
      choice("operation", ["multiply", "add", "subtract", "and", "or", "xor"]),
    ],
    outputs,
  },
  run(inputs, context) {
    const [destination, source] = [inputs.mask("destination"), inputs.mask("source")];
    if (source.batch !== 1 && source.batch !== destination.batch) {
      throw new NodeError(`A batch of ${source.batch} masks does not fit onto a batch of ${destination.batch}.`);
    }
    const combine = combinations[inputs.choice("operation")] ?? ((value: number) => value);
    const [left, top] = [inputs.int("x"), inputs.int("y")];
    const out = context.mask(destination.batch, destination.height, destination.width);
    for (let at = 0; at < out.data.length; at++) out.data[at] = clamped(destination.data[at] ?? 0);
    for (let index = 0; index < out.batch; index++) {
      const [to, over] = [planeOf(out, index), planeOf(source, index % source.batch)];
      const before = planeOf(destination, index);
      for (let y = 0; y < Math.min(over.height, to.height - top); y++) {
        for (let x = 0; x < Math.min(over.width, to.width - left); x++) {
          const at = (top + y) * to.width + left + x;
          to.data[at] = clamped(combine(before.data[at] ?? 0, over.data[y * over.width + x] ?? 0));
        }
      }
    }
    return [out];
  },
};

const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

export const growMask: NodeRunner = {
  description: {
    name: "GrowMask",
    displayName: "Grow Mask",
    category,
    description: "Grows a mask by this many pixels; a negative number shrinks it.",
    inputs: [mask("mask"), int("expand", 0, -sideMax, sideMax, { step: 1 }), flag("tapered_corners", true)],
    outputs,
  },
  weight: 3,
  async run(inputs, context) {
    const source = inputs.mask("mask");
    const expand = inputs.int("expand");
    if (expand === 0) return [source];
    const options = { isShrinking: expand < 0, withCorners: !inputs.flag("tapered_corners") };
    const out = context.mask(source.batch, source.height, source.width);
    const spare = context.mask(1, source.height, source.width);
    const steps = Math.abs(expand) * source.batch;
    for (const [index, plane] of planes(source).entries()) {
      let from = plane.data;
      let to = planeOf(out, index).data;
      for (let step = 0; step < Math.abs(expand); step++) {
        await context.breathe(index * Math.abs(expand) + step, steps);
        const isChanged = growOnce({ ...plane, data: from }, to, options);
        const next = to === spare.data ? planeOf(out, index).data : spare.data;
        from = to;
        to = next;
        if (!isChanged) break;
      }
      if (from === spare.data) planeOf(out, index).data.set(from);
    }
    const result: Mask = out;
    return [result];
  },
};

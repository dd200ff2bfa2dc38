// Classes that create, invert, crop and feather masks.
import type { NodeRunner } from "../execution/node-runner.ts";
import { float, height, mask, offset, width } from "../graph/describe-inputs.ts";
import { cropped } from "../pictures/crop.ts";
import { feather } from "../pictures/feather.ts";
import { type Mask, planes } from "../pictures/picture.ts";

const outputs = [{ type: "MASK", name: "MASK" }] as const;
const category = "mask";

export const solidMask: NodeRunner = {
  description: {
    name: "SolidMask",
    category,
    description: "Makes a mask of one value.",
    inputs: [float("value", 1, 0, 1, 0.01), width(1), height(1)],
    outputs,
  },
  run(inputs, context) {
    const out = context.mask(1, inputs.int("height"), inputs.int("width"));
    out.data.fill(inputs.float("value"));
    return [out];
  },
};

export const invertMask: NodeRunner = {
  description: {
    name: "InvertMask",
    category,
    description: "1 − mask.",
    inputs: [mask("mask")],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.mask("mask");
    const out = context.mask(source.batch, source.height, source.width);
    for (let at = 0; at < out.data.length; at++) out.data[at] = 1 - (source.data[at] ?? 0);
    return [out];
  },
};

export const featherMask: NodeRunner = {
  description: {
    name: "FeatherMask",
    category,
    description: "Fades the mask towards its edges.",
    inputs: [mask("mask"), offset("left"), offset("top"), offset("right"), offset("bottom")],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.mask("mask");
    const data = context.floats(source.data.length, "A feathered mask");
    data.set(source.data);
    const out: Mask = { ...source, data };
    const edges = {
      left: inputs.int("left"),
      top: inputs.int("top"),
      right: inputs.int("right"),
      bottom: inputs.int("bottom"),
    };
    for (const plane of planes(out)) feather(plane, edges, context.profile);
    return [out];
  },
};

export const cropMask: NodeRunner = {
  description: {
    name: "CropMask",
    category,
    description: "Crops a mask to a rectangle.",
    inputs: [mask("mask"), offset("x"), offset("y"), width(1), height(1)],
    outputs,
  },
  run(inputs, context) {
    const wanted = { x: inputs.int("x"), y: inputs.int("y"), width: inputs.int("width"), height: inputs.int("height") };
    return [cropped(inputs.mask("mask"), wanted, context)];
  },
};

export const thresholdMask: NodeRunner = {
  description: {
    name: "ThresholdMask",
    category,
    description: "Sets the mask to 1 where it is above the value, and to 0 elsewhere.",
    inputs: [mask("mask"), float("value", 0.5, 0, 1, 0.01)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.mask("mask");
    const value = Math.fround(inputs.float("value"));
    const out = context.mask(source.batch, source.height, source.width);
    for (let at = 0; at < out.data.length; at++) out.data[at] = (source.data[at] ?? 0) > value ? 1 : 0;
    return [out];
  },
};

// Classes about batches: several pictures of one size in one value.
import type { NodeRunner } from "../execution/node-runner.ts";
import { image, int, output } from "../graph/describe-inputs.ts";
import { withOpaqueAlpha } from "../pictures/channels.ts";
import { sameSize } from "../pictures/picture.ts";
import { scaled } from "../pictures/scaling/scale.ts";

const outputs = [{ type: "IMAGE", name: "IMAGE" }] as const;

export const imageBatch: NodeRunner = {
  description: {
    name: "ImageBatch",
    displayName: "Batch Images",
    category: "image",
    description: "Joins two pictures or batches into one batch; the second is scaled to the size of the first.",
    inputs: [image("image1"), image("image2")],
    outputs,
    isDeprecated: true,
  },
  async run(inputs, context) {
    let [one, two] = [inputs.image("image1"), inputs.image("image2")];
    if (one.channels < two.channels) one = withOpaqueAlpha(one, context);
    if (two.channels < one.channels) two = withOpaqueAlpha(two, context);
    if (!sameSize(one, two)) two = await scaled(two, one, "bilinear", "center", context);
    const out = context.image(one.batch + two.batch, one.height, one.width, one.channels);
    out.data.set(one.data);
    out.data.set(two.data, one.data.length);
    return [out];
  },
};

export const repeatImageBatch: NodeRunner = {
  description: {
    name: "RepeatImageBatch",
    category: "image/batch",
    description: "Repeats the pictures of a batch.",
    inputs: [image("image"), int("amount", 1, 1, 4096)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const amount = inputs.int("amount");
    if (amount === 1) return [source];
    const out = context.image(source.batch * amount, source.height, source.width, source.channels);
    for (let index = 0; index < amount; index++) out.data.set(source.data, index * source.data.length);
    return [out];
  },
};

// A negative index counts from the end; an index out of range is clamped.
export function placeIn(batch: number, index: number): number {
  return Math.max(0, Math.min(batch - 1, index < 0 ? index + batch : index));
}

export const imageFromBatch: NodeRunner = {
  description: {
    name: "ImageFromBatch",
    category: "image/batch",
    description: "Takes some pictures from a batch.",
    inputs: [image("image"), int("batch_index", 0, 0, 4095), int("length", 1, 1, 4096)],
    outputs,
  },
  run(inputs) {
    const source = inputs.image("image");
    const first = placeIn(source.batch, inputs.int("batch_index"));
    const batch = Math.min(source.batch - first, inputs.int("length"));
    const size = source.height * source.width * source.channels;
    return [{ ...source, batch, data: source.data.subarray(first * size, (first + batch) * size) }];
  },
};

export const getImageSize: NodeRunner = {
  description: {
    name: "GetImageSize",
    displayName: "Get Image Size",
    category: "image",
    description: "Width, height and number of pictures.",
    inputs: [image("image")],
    outputs: [output("INT", "width"), output("INT", "height"), output("INT", "batch_size")],
    hidden: ["UNIQUE_ID"],
  },
  weight: 0.1,
  run(inputs) {
    const { width, height, batch } = inputs.image("image");
    return [width, height, batch];
  },
};

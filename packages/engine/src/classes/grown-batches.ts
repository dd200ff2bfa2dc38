// Classes with as many inputs as are connected: at most fifty, counted from 0. The application's older version declares two as
// required, but accepts one.
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { image, latent, mask } from "../graph/describe-inputs.ts";
import type { NodeClassDescription, SocketInput } from "../graph/node-class.ts";
import { withOpaqueAlpha } from "../pictures/channels.ts";
import { type Mask, type Picture, sameSize } from "../pictures/picture.ts";
import { scaled } from "../pictures/scaling/scale.ts";
import { joined } from "../pictures/tensor.ts";
import { reshapedTo } from "./latents/latent-arithmetic.ts";
import { indicesOf } from "./latents/latent-batches.ts";

const [least, most] = [1, 50];
// How many inputs an editor shows at first.
const [shownOlder, shownNewer] = [2, 1];

type Socket = (name: string, extra: { optional: boolean }) => SocketInput;

function growing(group: string, prefix: string, socket: Socket): Pick<NodeClassDescription, "inputs" | "shown"> {
  return {
    inputs: Array.from({ length: most }, (_, index) =>
      socket(`${group}.${prefix}${index}`, { optional: index >= least }),
    ),
    shown: shownAs(group, prefix, socket, shownOlder),
  };
}

function shownAs(
  group: string,
  prefix: string,
  socket: Socket,
  min: number,
): NonNullable<NodeClassDescription["shown"]> {
  const { type } = socket(prefix, { optional: false });
  const template = { input: { required: { [prefix]: [type, {}] } }, prefix, min, max: most };
  return { required: { [group]: ["COMFY_AUTOGROW_V3", { template }] } };
}

function newer(runner: NodeRunner, group: string, prefix: string, socket: Socket): NodeRunner {
  return { ...runner, description: { ...runner.description, shown: shownAs(group, prefix, socket, shownNewer) } };
}

const named = (inputs: Inputs, group: string, prefix: string): string[] =>
  Array.from({ length: most }, (_, index) => `${group}.${prefix}${index}`).filter((name) => inputs.has(name));

export const batchImagesNode: NodeRunner = {
  description: {
    name: "BatchImagesNode",
    displayName: "Batch Images",
    category: "image",
    description: "Joins pictures or batches into one batch; all are scaled to the size of the first.",
    ...growing("images", "image", image),
    outputs: [{ type: "IMAGE", name: "IMAGE" }],
  },
  weight: 2,
  async run(inputs, context) {
    const given = named(inputs, "images", "image").map((name) => inputs.image(name));
    const channels = Math.max(...given.map((picture) => picture.channels));
    const even = given.map((picture) => (picture.channels < channels ? withOpaqueAlpha(picture, context) : picture));
    const alike = await sizedToFirst(even, context);
    const [first] = alike;
    if (!first || alike.some((picture) => picture.channels !== first.channels)) {
      throw new NodeError("The pictures have different numbers of channels.");
    }
    const out = context.image(batchOf(alike), first.height, first.width, first.channels);
    fill(out.data, alike);
    return [out];
  },
};

export const batchMasksNode: NodeRunner = {
  description: {
    name: "BatchMasksNode",
    displayName: "Batch Masks",
    category: "mask",
    description: "Joins masks or batches into one batch; all are scaled to the size of the first.",
    ...growing("masks", "mask", mask),
    outputs: [{ type: "MASK", name: "MASK" }],
  },
  async run(inputs, context) {
    const alike = await sizedToFirst(
      named(inputs, "masks", "mask").map((name) => inputs.mask(name)),
      context,
    );
    const [first] = alike;
    const out = context.mask(batchOf(alike), first?.height ?? 0, first?.width ?? 0);
    fill(out.data, alike);
    return [out];
  },
};

async function sizedToFirst<Kind extends Picture | Mask>(
  values: readonly Kind[],
  context: NodeContext,
): Promise<Kind[]> {
  const [first] = values;
  const out: Kind[] = [];
  for (const value of values) {
    out.push(!first || sameSize(value, first) ? value : await scaled(value, first, "bilinear", "center", context));
  }
  return out;
}

const batchOf = (values: readonly { readonly batch: number }[]): number =>
  values.reduce((sum, { batch }) => sum + batch, 0);

function fill(data: Float32Array, values: readonly { readonly data: Float32Array }[]): void {
  let at = 0;
  for (const value of values) {
    data.set(value.data, at);
    at += value.data.length;
  }
}

export const batchLatentsNode: NodeRunner = {
  description: {
    name: "BatchLatentsNode",
    displayName: "Batch Latents",
    category: "latent",
    description: "Joins latents or batches into one batch; all are scaled to the size of the first.",
    ...growing("latents", "latent", latent),
    outputs: [{ type: "LATENT", name: "LATENT" }],
  },
  async run(inputs, context) {
    const given = named(inputs, "latents", "latent").map((name) => inputs.latent(name));
    const [first] = given;
    if (!first) return [];
    const alike = await Promise.all(given.map((value) => reshapedTo(first.shape, value, context, false)));
    const whole = joined(alike, 0, (count) => context.floats(count, "A latent"));
    return [{ ...first, ...whole, batchIndex: given.flatMap(indicesOf) }];
  },
};

export const newerBatchImagesNode = newer(batchImagesNode, "images", "image", image);
export const newerBatchMasksNode = newer(batchMasksNode, "masks", "mask", mask);
export const newerBatchLatentsNode = newer(batchLatentsNode, "latents", "latent", latent);

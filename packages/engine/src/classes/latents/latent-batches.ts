// Batches of latents, with their batch indices and noise masks.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { choice, int, latent, mask, sideMax } from "../../graph/describe-inputs.ts";
import type { Latent } from "../../pictures/picture.ts";
import { joined, narrowed, repeatedTo, sameShape } from "../../pictures/tensor.ts";
import { placeIn } from "../image-batches.ts";
import { reshapedTo } from "./latent-arithmetic.ts";

const outputs = [{ type: "LATENT", name: "LATENT" }] as const;
const category = "latent/batch";

export const indicesOf = (value: Latent): readonly number[] =>
  value.batchIndex ?? Array.from({ length: value.shape[0] ?? 0 }, (_, index) => index);

export const latentBatch: NodeRunner = {
  description: {
    name: "LatentBatch",
    category,
    description: "Joins two latents or batches into one batch; the second is scaled to the size of the first.",
    inputs: [latent("samples1"), latent("samples2")],
    outputs,
    isDeprecated: true,
  },
  async run(inputs, context) {
    const [one, two] = [inputs.latent("samples1"), inputs.latent("samples2")];
    const sized = await reshapedTo(one.shape, two, context, false);
    const both = joined([one, sized], 0, (count) => context.floats(count, "A latent"));
    return [{ ...one, ...both, batchIndex: [...indicesOf(one), ...indicesOf(two)] }];
  },
};

export const latentFromBatch: NodeRunner = {
  description: {
    name: "LatentFromBatch",
    displayName: "Latent From Batch",
    category,
    description: "Takes some latents from a batch.",
    inputs: [latent("samples"), int("batch_index", 0, 0, 63), int("length", 1, 1, 64)],
    outputs,
  },
  run(inputs, context) {
    const floats = (count: number) => context.floats(count, "A latent");
    const source = inputs.latent("samples");
    const [batch = 0] = source.shape;
    const first = placeIn(batch, inputs.int("batch_index"));
    const length = Math.min(batch - first, inputs.int("length"));
    const { noiseMask } = source;
    const isShared = noiseMask === undefined || noiseMask.shape[0] === 1;
    const masks = isShared ? noiseMask : narrowed(repeatedTo(noiseMask, batch, floats), 0, first, length, floats);
    const range = Array.from({ length }, (_, index) => first + index);
    return [
      {
        ...source,
        ...narrowed(source, 0, first, length, floats),
        ...(masks ? { noiseMask: masks } : {}),
        batchIndex: source.batchIndex?.slice(first, first + length) ?? range,
      },
    ];
  },
};

export const repeatLatentBatch: NodeRunner = {
  description: {
    name: "RepeatLatentBatch",
    displayName: "Repeat Latent Batch",
    category,
    description: "Repeats the latents of a batch.",
    inputs: [latent("samples"), int("amount", 1, 1, 64)],
    outputs,
  },
  run(inputs, context) {
    const floats = (count: number) => context.floats(count, "A latent");
    const source = inputs.latent("samples");
    const amount = inputs.int("amount");
    const times = (batch: number | undefined) => (batch ?? 0) * amount;
    const { noiseMask, batchIndex } = source;
    const isMany = noiseMask !== undefined && (noiseMask.shape[0] ?? 0) > 1;
    const span = batchIndex ? Math.max(...batchIndex) - Math.min(...batchIndex) + 1 : 0;
    const later = Array.from({ length: amount }, (_, round) => batchIndex?.map((index) => index + round * span) ?? []);
    return [
      {
        ...source,
        ...repeatedTo(source, times(source.shape[0]), floats),
        ...(isMany ? { noiseMask: repeatedTo(noiseMask, times(noiseMask.shape[0]), floats) } : {}),
        ...(batchIndex ? { batchIndex: later.flat() } : {}),
      },
    ];
  },
};

export const latentBatchSeedBehavior: NodeRunner = {
  description: {
    name: "LatentBatchSeedBehavior",
    category: "latent/advanced",
    description: "Sets whether all latents of a batch share one noise seed or each has its own.",
    inputs: [latent("samples"), choice("seed_behavior", ["random", "fixed"], { default: "fixed" })],
    outputs,
  },
  run(inputs) {
    const { batchIndex, ...source } = inputs.latent("samples");
    if (inputs.choice("seed_behavior") === "random") return [source];
    return [{ ...source, batchIndex: new Array<number>(source.shape[0] ?? 0).fill(batchIndex?.[0] ?? 0) }];
  },
};

export const setLatentNoiseMask: NodeRunner = {
  description: {
    name: "SetLatentNoiseMask",
    displayName: "Set Latent Noise Mask",
    category: "latent/inpaint",
    description: "Marks where a model may change the latents.",
    inputs: [latent("samples"), mask("mask")],
    outputs,
  },
  run(inputs) {
    const { batch, height, width, data } = inputs.mask("mask");
    return [{ ...inputs.latent("samples"), noiseMask: { shape: [batch, 1, height, width], data } }];
  },
};

export const replaceVideoLatentFrames: NodeRunner = {
  description: {
    name: "ReplaceVideoLatentFrames",
    category,
    description: "Replaces frames of one video latent with those of another; if they do not fit, nothing changes.",
    inputs: [
      latent("destination"),
      int("index", 0, -sideMax, sideMax, { step: 1 }),
      latent("source", { optional: true }),
    ],
    outputs,
  },
  run(inputs, context) {
    const [destination, source] = [inputs.latent("destination"), inputs.optional("source", "latent")];
    if (!source) return [destination];
    const [frames = 0, more = 0] = [destination.shape[2], source.shape[2]];
    const given = inputs.int("index");
    const index = given < 0 ? frames + given : given;
    if (index > frames || index + more > frames) return [destination];
    const sides = (shape: readonly number[]) => shape.filter((_, dimension) => dimension !== 2);
    if (index < 0 || !sameShape(sides(destination.shape), sides(source.shape))) {
      throw new NodeError("The latents do not fit together.");
    }
    const floats = (count: number) => context.floats(count, "A latent");
    const before = narrowed(destination, 2, 0, index, floats);
    const after = narrowed(destination, 2, index + more, frames - index - more, floats);
    return [{ ...source, ...joined([before, source, after], 2, floats) }];
  },
};

export const trimVideoLatent: NodeRunner = {
  description: {
    name: "TrimVideoLatent",
    category: "latent/video",
    description: "Drops the first frames of a video latent.",
    inputs: [latent("samples"), int("trim_amount", 0, 0, 99999)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const side = source.shape[2] ?? 0;
    const start = Math.min(inputs.int("trim_amount"), side);
    return [{ ...source, ...narrowed(source, 2, start, side - start, (count) => context.floats(count, "A latent")) }];
  },
};

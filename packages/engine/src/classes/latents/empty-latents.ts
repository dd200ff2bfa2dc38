// Latents filled with zeros, in the shapes that different models want.
import type { Inputs } from "../../execution/inputs.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { float, height, int, output, sideMax, width } from "../../graph/describe-inputs.ts";
import type { NodeClassDescription } from "../../graph/node-class.ts";
import { roundHalfEven } from "../../pictures/picture.ts";
import { countOf } from "../../pictures/tensor.ts";

const outputs = [{ type: "LATENT", name: "LATENT" }] as const;
const batchSize = int("batch_size", 1, 1, 4096);

interface Empty extends Omit<NodeClassDescription, "outputs"> {
  // Without the batch dimension.
  readonly shape: (inputs: Inputs) => readonly number[];
}

function empty({ shape, ...description }: Empty): NodeRunner {
  return {
    description: { ...description, inputs: [...description.inputs, batchSize], outputs },
    run(given, context) {
      const whole = [given.int("batch_size"), ...shape(given)];
      return [{ kind: "latent", shape: whole, data: context.floats(countOf(whole), "A latent") }];
    },
  };
}

const over = (inputs: Inputs, name: string, by: number): number => Math.floor(inputs.int(name) / by);
const size = (inputs: Inputs, by: number): number[] => [over(inputs, "height", by), over(inputs, "width", by)];
// The first frame counts alone; the others come in groups of this many.
const frames = (inputs: Inputs, by: number): number => Math.floor((inputs.int("length") - 1) / by) + 1;
const seconds = (standard: number) => float("seconds", standard, 1, 1000, 0.1);
const length = (standard: number, least: number, step: number) => int("length", standard, least, sideMax, { step });

export const emptyLatentImage = empty({
  name: "EmptyLatentImage",
  displayName: "Empty Latent Image",
  category: "latent",
  description: "A batch of empty latents.",
  inputs: [width(16, 512, 8), height(16, 512, 8)],
  shape: (inputs) => [4, ...size(inputs, 8)],
});

export const emptyLatents: readonly NodeRunner[] = [
  empty({
    name: "EmptySD3LatentImage",
    category: "latent/sd3",
    description: "Empty latents with 16 channels.",
    inputs: [width(16, 1024, 16), height(16, 1024, 16)],
    shape: (inputs) => [16, ...size(inputs, 8)],
  }),
  empty({
    name: "EmptyFlux2LatentImage",
    displayName: "Empty Flux 2 Latent",
    category: "latent",
    description: "Empty latents with 128 channels and 1/16 of each side.",
    inputs: [width(16, 1024, 16), height(16, 1024, 16)],
    shape: (inputs) => [128, ...size(inputs, 16)],
  }),
  empty({
    name: "EmptyHunyuanImageLatent",
    category: "latent",
    description: "Empty latents with 64 channels and 1/32 of each side.",
    inputs: [width(64, 2048, 32), height(64, 2048, 32)],
    shape: (inputs) => [64, ...size(inputs, 32)],
  }),
  empty({
    name: "EmptyChromaRadianceLatentImage",
    category: "latent/chroma_radiance",
    description: "Empty latents in pixel space: three channels at full size.",
    inputs: [width(16, 1024, 16), height(16, 1024, 16)],
    shape: (inputs) => [3, ...size(inputs, 1)],
  }),
  empty({
    name: "EmptyQwenImageLayeredLatentImage",
    displayName: "Empty Qwen Image Layered Latent",
    category: "latent/qwen",
    description: "Empty latents with several layers, plus one for the whole picture.",
    inputs: [width(16, 640, 16), height(16, 640, 16), int("layers", 3, 0, sideMax, { step: 1 })],
    shape: (inputs) => [16, inputs.int("layers") + 1, ...size(inputs, 8)],
  }),
  empty({
    name: "EmptyHunyuanLatentVideo",
    displayName: "Empty HunyuanVideo 1.0 Latent",
    category: "latent/video",
    description: "An empty video latent with 1/4 of the frames.",
    inputs: [width(16, 848, 16), height(16, 480, 16), length(25, 1, 4)],
    shape: (inputs) => [16, frames(inputs, 4), ...size(inputs, 8)],
  }),
  empty({
    name: "EmptyHunyuanVideo15Latent",
    displayName: "Empty HunyuanVideo 1.5 Latent",
    category: "latent/video",
    description: "An empty video latent with 32 channels and 1/16 of each side.",
    inputs: [width(16, 848, 16), height(16, 480, 16), length(25, 1, 4)],
    shape: (inputs) => [32, frames(inputs, 4), ...size(inputs, 16)],
  }),
  empty({
    name: "EmptyMochiLatentVideo",
    category: "latent/video",
    description: "An empty video latent with 1/6 of the frames.",
    inputs: [width(16, 848, 16), height(16, 480, 16), length(25, 7, 6)],
    shape: (inputs) => [12, frames(inputs, 6), ...size(inputs, 8)],
  }),
  empty({
    name: "EmptyLTXVLatentVideo",
    category: "latent/video/ltxv",
    description: "An empty video latent with 128 channels and 1/32 of each side.",
    inputs: [width(64, 768, 32), height(64, 512, 32), length(97, 1, 8)],
    shape: (inputs) => [128, frames(inputs, 8), ...size(inputs, 32)],
  }),
  empty({
    name: "EmptyCosmosLatentVideo",
    category: "latent/video",
    description: "An empty video latent with 1/8 of the frames.",
    inputs: [width(16, 1280, 16), height(16, 704, 16), length(121, 1, 8)],
    shape: (inputs) => [16, frames(inputs, 8), ...size(inputs, 8)],
  }),
  empty({
    name: "EmptyLatentHunyuan3Dv2",
    category: "latent/3d",
    description: "Empty latents for a 3D shape.",
    inputs: [int("resolution", 3072, 1, 8192)],
    shape: (inputs) => [64, inputs.int("resolution")],
  }),
  empty({
    name: "EmptyLatentAudio",
    displayName: "Empty Latent Audio",
    category: "latent/audio",
    description: "Empty audio latents, about 21 per second.",
    inputs: [seconds(47.6)],
    shape: (inputs) => [64, roundHalfEven((inputs.float("seconds") * 44100) / 2048 / 2) * 2],
  }),
  empty({
    name: "EmptyAceStepLatentAudio",
    category: "latent/audio",
    description: "Empty audio latents, about 11 per second.",
    inputs: [seconds(120)],
    shape: (inputs) => [8, 16, Math.trunc((inputs.float("seconds") * 44100) / 512 / 8)],
  }),
  {
    description: {
      name: "StableCascade_EmptyLatentImage",
      category: "latent/stable_cascade",
      description: "Empty latents for both stages: high and low compression.",
      inputs: [width(256, 1024, 8), height(256, 1024, 8), int("compression", 42, 4, 128, { step: 1 }), batchSize],
      outputs: [output("LATENT", "stage_c"), output("LATENT", "stage_b")],
    },
    run(inputs, context) {
      const batch = inputs.int("batch_size");
      return [
        [batch, 16, ...size(inputs, inputs.int("compression"))],
        [batch, 4, ...size(inputs, 4)],
      ].map((shape) => ({ kind: "latent", shape, data: context.floats(countOf(shape), "A latent") }));
    },
  },
];

// Latent classes that need no model: rotate, save and load.

import { readFile } from "node:fs/promises";
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { embeddedTexts } from "../../files/embed-graph.ts";
import { outputNames } from "../../files/file-name.ts";
import { readLatent, writeLatent } from "../../files/safetensors.ts";
import { choice, file, latent } from "../../graph/describe-inputs.ts";
import type { Latent } from "../../pictures/picture.ts";
import { countOf } from "../../pictures/tensor.ts";
import { flipPlane, quarterTurns, turnPlane } from "../../pictures/turn.ts";
import { filenamePrefix, sink } from "../image-sinks.ts";
import { flipMethods, rotations } from "../image-transforms.ts";

const outputs = [{ type: "LATENT", name: "LATENT" }] as const;

export const latentFlip: NodeRunner = {
  description: {
    name: "LatentFlip",
    displayName: "Flip Latent",
    category: "latent/transform",
    description: "Mirrors latents.",
    inputs: [latent("samples"), choice("flip_method", flipMethods)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const isVertical = inputs.choice("flip_method").startsWith("x");
    needSides(source, isVertical ? 3 : 4);
    const data = context.floats(source.data.length, "A latent");
    eachPlane(source, (from, to) => flipPlane(from, to, isVertical), data);
    return [{ ...source, data }];
  },
};

export const latentRotate: NodeRunner = {
  description: {
    name: "LatentRotate",
    displayName: "Rotate Latent",
    category: "latent/transform",
    description: "Rotates latents clockwise by quarter turns.",
    inputs: [latent("samples"), choice("rotation", rotations)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.latent("samples");
    const turns = quarterTurns(inputs.choice("rotation"));
    needSides(source, 4);
    if (turns === 0) return [source];
    const data = context.floats(source.data.length, "A latent");
    eachPlane(source, (from, to) => turnPlane(from, to, turns), data);
    const [batch = 0, channels = 0, down = 0, across = 0, ...inner] = source.shape;
    const shape = turns === 2 ? source.shape : [batch, channels, across, down, ...inner];
    return [{ ...source, shape, data }];
  },
};

// The application counts dimensions from the front: for a video's latents it treats frames as rows and rows as columns.
function needSides({ shape }: Latent, count: number): void {
  if (shape.length < count) throw new NodeError(`A latent with ${shape.length} dimensions cannot be rotated.`);
}

function eachPlane(
  source: Latent,
  work: (from: { width: number; height: number; channels: number; data: Float32Array }, to: Float32Array) => void,
  data: Float32Array,
): void {
  const [, , height = 1, width = 1, ...inner] = source.shape;
  const channels = countOf(inner);
  const size = width * height * channels;
  for (let at = 0; at < source.data.length; at += size) {
    work({ width, height, channels, data: source.data.subarray(at, at + size) }, data.subarray(at, at + size));
  }
}

export const saveLatent: NodeRunner = {
  description: {
    name: "SaveLatent",
    category: "_for_testing",
    description: "Saves latents as a file with the graph embedded.",
    inputs: [latent("samples"), filenamePrefix("latents/Atelier")],
    ...sink,
  },
  async run(inputs, context) {
    const nextName = outputNames(inputs.text("filename_prefix"), context);
    const bytes = writeLatent(inputs.latent("samples"), embeddedTexts(context));
    await context.save({ ...nextName("latent"), kind: "latent", contentType: "application/octet-stream", bytes });
    return [];
  },
};

export const loadLatent: NodeRunner = {
  description: {
    name: "LoadLatent",
    category: "_for_testing",
    description: "Loads latents from a file.",
    inputs: [file("latent")],
    outputs,
  },
  files: ["latent"],
  async run(inputs, context) {
    const bytes = await readFile(await context.file(inputs.file("latent")));
    return [readLatent(bytes, (count) => context.floats(count, "A latent"))];
  },
};

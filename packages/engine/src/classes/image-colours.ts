// Classes that fill with a chosen colour or with random ones.
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { choice, float, image, int, seedMax } from "../graph/describe-inputs.ts";
import { fromBytes, wrappedBytes } from "../pictures/colours/eight-bits.ts";
import { dithers, quantize } from "../pictures/colours/quantize.ts";
import { planeOf } from "../pictures/picture.ts";
import { normals } from "../pictures/random.ts";

const outputs = [{ type: "IMAGE", name: "IMAGE" }] as const;

export const imageQuantize: NodeRunner = {
  description: {
    name: "ImageQuantize",
    category: "image/postprocessing",
    description: "Reduces a picture to at most this many colours.",
    inputs: [image("image"), int("colors", 256, 1, 256, { step: 1 }), choice("dither", dithers)],
    outputs,
  },
  weight: 4,
  async run(inputs, context) {
    const source = inputs.image("image");
    if (source.channels !== 3) throw new NodeError("image: expected a picture without an alpha channel.");
    const dither = inputs.oneOf("dither", dithers);
    const out = context.image(source.batch, source.height, source.width, 3);
    for (let index = 0; index < source.batch; index++) {
      await context.breathe(index, source.batch);
      const bytes = wrappedBytes(planeOf(source, index).data);
      quantize(bytes, source.width, inputs.int("colors"), dither);
      fromBytes(bytes, planeOf(out, index).data);
    }
    return [out];
  },
};

export const imageAddNoise: NodeRunner = {
  description: {
    name: "ImageAddNoise",
    category: "image",
    description: "Adds normally distributed noise; the same seed adds the same noise.",
    inputs: [
      image("image"),
      int("seed", 0, 0, seedMax, {
        controlAfterGenerate: true,
        tooltip: "The random seed used for creating the noise.",
      }),
      float("strength", 0.5, 0, 1, 0.01),
    ],
    outputs,
  },
  weight: 3,
  run(inputs, context) {
    const source = inputs.image("image");
    const strength = Math.fround(inputs.float("strength"));
    const data = context.floats(source.data.length, "A noisy picture");
    context.expect(data.byteLength, "The noise");
    const noise = normals(inputs.bigInt("seed"), data.length);
    for (let at = 0; at < data.length; at++) {
      const value = Math.fround((source.data[at] ?? 0) + Math.fround(strength * (noise[at] ?? 0)));
      data[at] = value < 0 ? 0 : value > 1 ? 1 : value;
    }
    return [{ ...source, data }];
  },
};

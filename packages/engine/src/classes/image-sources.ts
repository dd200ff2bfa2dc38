// Classes that create pictures or load them from files.
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { decodePictures } from "../files/decode.ts";
import { readPictures } from "../files/read-picture.ts";
import { choice, file, height, int, output, width } from "../graph/describe-inputs.ts";
import { toFraction } from "../pictures/colours/eight-bits.ts";

export const emptyImage: NodeRunner = {
  description: {
    name: "EmptyImage",
    category: "image",
    description: "Makes a picture of one colour.",
    inputs: [
      width(1),
      height(1),
      int("batch_size", 1, 1, 4096),
      int("color", 0, 0, 0xffffff, { step: 1, display: "color" }),
    ],
    outputs: [{ type: "IMAGE", name: "IMAGE" }],
  },
  run(inputs, context) {
    const out = context.image(inputs.int("batch_size"), inputs.int("height"), inputs.int("width"), 3);
    const color = inputs.int("color");
    const levels = [(color >> 16) & 255, (color >> 8) & 255, color & 255].map(toFraction);
    const [red = 0, green = 0, blue = 0] = levels;
    if (red === green && green === blue) out.data.fill(red);
    else {
      for (let at = 0; at < out.data.length; at += 3) {
        out.data[at] = red;
        out.data[at + 1] = green;
        out.data[at + 2] = blue;
      }
    }
    return [out];
  },
};

const loaded = [output("IMAGE", "IMAGE"), output("MASK", "MASK")];

export const loadImage: NodeRunner = {
  description: {
    name: "LoadImage",
    displayName: "Load Image",
    category: "image",
    description: "Loads a picture; an animation becomes a batch. The mask marks the transparent area.",
    inputs: [file("image", { upload: "image" })],
    outputs: loaded,
  },
  files: ["image"],
  weight: 3,
  async run(inputs, context) {
    const path = await context.file(inputs.file("image"));
    if (context.profile === "0.30") {
      const { picture, mask } = await readPictures(path, context);
      return [picture, mask ?? context.mask(picture.batch, 64, 64)];
    }
    const { picture, mask, hasMask } = await decodePictures(path, context);
    return [picture, hasMask && mask ? mask : context.mask(picture.batch, 64, 64)];
  },
};

export const loadImageOutput: NodeRunner = {
  ...loadImage,
  description: {
    ...loadImage.description,
    name: "LoadImageOutput",
    displayName: "Load Image (from Outputs)",
    description: "Loads a picture that an earlier job made.",
    inputs: [file("image", { upload: "image", folder: "output" })],
    isExperimental: true,
  },
};

export const loadImageMask: NodeRunner = {
  description: {
    name: "LoadImageMask",
    displayName: "Load Image (as Mask)",
    category: "mask",
    description: "Loads one channel of a picture as a mask.",
    inputs: [file("image", { upload: "image" }), choice("channel", ["alpha", "red", "green", "blue"])],
    outputs: [{ type: "MASK", name: "MASK" }],
  },
  files: ["image"],
  weight: 3,
  async run(inputs, context) {
    const path = await context.file(inputs.file("image"));
    const isNewer = context.profile === "0.30";
    const decoded = isNewer ? await readPictures(path, context) : await decodePictures(path, context, { pages: 1 });
    const { picture, mask } = decoded;
    const empty = isNewer ? { width: 64, height: 64 } : picture;
    const channel = inputs.choice("channel");
    if (channel === "alpha") return [mask ?? context.mask(picture.batch, empty.height, empty.width)];
    const at = ["red", "green", "blue"].indexOf(channel);
    if (at < 0) throw new NodeError(`channel: unknown channel ${channel}.`);
    const out = context.mask(picture.batch, picture.height, picture.width);
    for (let pixel = 0; pixel < out.data.length; pixel++) out.data[pixel] = picture.data[pixel * 3 + at] ?? 0;
    return [out];
  },
};

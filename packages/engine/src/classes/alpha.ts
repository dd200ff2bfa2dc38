// Classes about transparency. A mask says what is transparent: it is 1 − alpha.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { choice, image, mask } from "../graph/describe-inputs.ts";
import { firstChannels } from "../pictures/channels.ts";
import { type Mask, type Picture, planeOf, type Size, sameSize } from "../pictures/picture.ts";
import { composeLayers, porterDuffModes } from "../pictures/porter-duff.ts";
import { type Crop, scaled } from "../pictures/scaling/scale.ts";

const category = "mask/compositing";
const imageOutput = { type: "IMAGE", name: "IMAGE" } as const;
const maskOutput = { type: "MASK", name: "MASK" } as const;

export const splitImageWithAlpha: NodeRunner = {
  description: {
    name: "SplitImageWithAlpha",
    displayName: "Split Image with Alpha",
    category,
    description: "Splits a picture into its colours and its transparency.",
    inputs: [image("image")],
    outputs: [imageOutput, maskOutput],
  },
  run(inputs, context) {
    const source = inputs.image("image");
    const out = context.mask(source.batch, source.height, source.width);
    if (source.channels > 3) {
      for (let pixel = 0, from = 3; pixel < out.data.length; pixel++, from += source.channels) {
        out.data[pixel] = 1 - (source.data[from] ?? 0);
      }
    }
    return [firstChannels(source, Math.min(3, source.channels), context), out];
  },
};

export const joinImageWithAlpha: NodeRunner = {
  description: {
    name: "JoinImageWithAlpha",
    displayName: "Join Image with Alpha",
    category,
    description: "Uses a mask as the picture's transparency.",
    inputs: [image("image"), mask("alpha")],
    outputs: [imageOutput],
  },
  async run(inputs, context) {
    const source = inputs.image("image");
    const alpha = await fitted(inputs.mask("alpha"), source, "bilinear", "disabled", context);
    // 0.30 repeats the shorter batch; earlier versions dropped pictures without a partner.
    const batch = (context.profile === "0.30" ? Math.max : Math.min)(source.batch, alpha.batch);
    const out = context.image(batch, source.height, source.width, 4);
    const plane = source.height * source.width;
    for (let pixel = 0; pixel < batch * plane; pixel++) {
      const from = (pixel % (source.batch * plane)) * source.channels;
      for (let channel = 0; channel < 3; channel++) out.data[pixel * 4 + channel] = source.data[from + channel] ?? 0;
      out.data[pixel * 4 + 3] = 1 - (alpha.data[pixel % (alpha.batch * plane)] ?? 0);
    }
    return [out];
  },
};

async function fitted<Kind extends Picture | Mask>(
  value: Kind,
  size: Size,
  method: "bilinear" | "bicubic",
  crop: Crop,
  context: NodeContext,
): Promise<Kind> {
  return sameSize(value, size) ? value : scaled(value, size, method, crop, context);
}

export const porterDuffImageComposite: NodeRunner = {
  description: {
    name: "PorterDuffImageComposite",
    displayName: "Porter-Duff Image Composite",
    category,
    description: "Combines two transparent pictures by one of the Porter-Duff operators.",
    inputs: [
      image("source"),
      mask("source_alpha"),
      image("destination"),
      mask("destination_alpha"),
      choice("mode", Object.keys(porterDuffModes), { default: "DST" }),
    ],
    outputs: [imageOutput, maskOutput],
  },
  weight: 2,
  async run(inputs, context) {
    const destination = inputs.image("destination");
    const { channels } = destination;
    if (inputs.image("source").channels !== channels) {
      throw new NodeError("Source and destination need the same number of channels.");
    }
    const fit = <Kind extends Picture | Mask>(value: Kind) => fitted(value, destination, "bicubic", "center", context);
    const destinationMask = await fit(inputs.mask("destination_alpha"));
    const source = await fit(inputs.image("source"));
    const sourceMask = await fit(inputs.mask("source_alpha"));
    const batch = Math.min(source.batch, sourceMask.batch, destination.batch, destinationMask.batch);
    const out = context.image(batch, destination.height, destination.width, channels);
    const outMask = context.mask(batch, destination.height, destination.width);
    const mode = porterDuffModes[inputs.choice("mode")];
    if (!mode) throw new NodeError("mode: unknown operator.");
    for (let index = 0; index < batch; index++) {
      await context.breathe(index, batch);
      const layer = (picture: Picture, alpha: Mask) => ({
        colours: planeOf(picture, index).data,
        mask: planeOf(alpha, index).data,
      });
      composeLayers(
        layer(source, sourceMask),
        layer(destination, destinationMask),
        layer(out, outMask),
        channels,
        mode,
      );
    }
    return [out, outMask];
  },
};

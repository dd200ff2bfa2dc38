// Two pictures side by side.
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { choice, flag, image, int } from "../graph/describe-inputs.ts";
import { withOpaqueAlpha } from "../pictures/channels.ts";
import { type Picture, planeOf, type Size } from "../pictures/picture.ts";
import { scaled } from "../pictures/scaling/scale.ts";
import { insert } from "./image-transforms.ts";

const colours: Readonly<Record<string, readonly [number, number, number]>> = {
  white: [1, 1, 1],
  black: [0, 0, 0],
  red: [1, 0, 0],
  green: [0, 1, 0],
  blue: [0, 0, 1],
};

export const imageStitch: NodeRunner = {
  description: {
    name: "ImageStitch",
    displayName: "Image Stitch",
    category: "image/transform",
    description: "Puts the second picture next to the first, with an optional coloured gap.",
    inputs: [
      image("image1"),
      choice("direction", ["right", "down", "left", "up"], { default: "right" }),
      flag("match_image_size", true),
      int("spacing_width", 0, 0, 1024, { step: 2 }),
      choice("spacing_color", ["white", "black", "red", "green", "blue"], { default: "white" }),
      image("image2", { optional: true }),
    ],
    outputs: [{ type: "IMAGE", name: "IMAGE" }],
  },
  weight: 2,
  async run(inputs, context) {
    const one = inputs.image("image1");
    const given = inputs.optional("image2", "image");
    if (!given) return [one];
    const direction = inputs.choice("direction");
    const isAcross = direction === "left" || direction === "right";
    const isMatched = inputs.flag("match_image_size");
    const two = isMatched
      ? await scaled(given, matchedSize(one, given, isAcross), "lanczos", "disabled", context)
      : given;
    const channels = Math.max(one.channels, two.channels);
    const pair = [one, two].map((picture) =>
      picture.channels < channels ? withOpaqueAlpha(picture, context) : picture,
    );
    const [first, second] = direction === "left" || direction === "up" ? pair.reverse() : pair;
    const spacing = inputs.int("spacing_width");
    const gap = { width: spacing + (spacing % 2), colour: colours[inputs.choice("spacing_color")] ?? [1, 1, 1] };
    return [first && second ? joined(first, second, gap, isAcross, context) : one];
  },
};

function matchedSize(one: Size, two: Size, isAcross: boolean): Size {
  const aspect = two.width / two.height;
  return isAcross
    ? { width: Math.trunc(one.height * aspect), height: one.height }
    : { width: one.width, height: Math.trunc(one.width / aspect) };
}

interface Gap {
  readonly width: number;
  readonly colour: readonly [number, number, number];
}

function joined(first: Picture, second: Picture, gap: Gap, isAcross: boolean, context: NodeContext): Picture {
  const width = isAcross ? first.width + gap.width + second.width : Math.max(first.width, second.width);
  const height = isAcross ? Math.max(first.height, second.height) : first.height + gap.width + second.height;
  const out = context.image(Math.max(first.batch, second.batch), height, width, first.channels);
  paintGround(out, first, gap, isAcross);
  const middle = (inner: number, outer: number) => Math.floor((outer - inner) / 2);
  // A shorter batch repeats its last picture.
  const ownOrLast = (picture: Picture, index: number) => planeOf(picture, Math.min(index, picture.batch - 1));
  for (let index = 0; index < out.batch; index++) {
    const [one, two, to] = [ownOrLast(first, index), ownOrLast(second, index), planeOf(out, index)];
    if (isAcross) {
      insert(one, to, 0, middle(one.height, height));
      insert(two, to, one.width + gap.width, middle(two.height, height));
    } else {
      insert(one, to, middle(one.width, width), 0);
      insert(two, to, middle(two.width, width), one.height + gap.width);
    }
  }
  return out;
}

// The background next to a smaller picture has the gap's colour if that is white or black, otherwise it is black.
function paintGround(out: Picture, first: Picture, gap: Gap, isAcross: boolean): void {
  const [red, green, blue] = gap.colour;
  const isGrey = red === green && green === blue;
  out.data.fill(isGrey ? red : 0);
  const isInGap = (x: number, y: number) => {
    const at = isAcross ? x - first.width : y - first.height;
    return at >= 0 && at < gap.width;
  };
  if (gap.width === 0) return;
  const levels = [red, green, blue, 1];
  for (let pixel = 0; pixel < out.batch * out.height * out.width; pixel++) {
    if (!isInGap(pixel % out.width, Math.floor(pixel / out.width) % out.height)) continue;
    for (let channel = 0; channel < out.channels; channel++)
      out.data[pixel * out.channels + channel] = levels[channel] ?? 1;
  }
}

// Pictures with and without alpha meet in many classes; this file decides which one is converted.
import type { NodeContext } from "../execution/node-runner.ts";
import type { Mask, Picture } from "./picture.ts";

// Converts the second to match the first: drops channels the first lacks, or adds an opaque alpha.
export function alignedTo(first: Picture, second: Picture, context: NodeContext): Picture {
  if (first.channels < second.channels) return firstChannels(second, first.channels, context);
  return first.channels > second.channels ? withOpaqueAlpha(second, context) : second;
}

export function firstChannels(picture: Picture, channels: number, context: NodeContext): Picture {
  if (picture.channels === channels) return picture;
  const out = context.image(picture.batch, picture.height, picture.width, channels);
  for (let at = 0, from = 0; at < out.data.length; at += channels, from += picture.channels) {
    for (let channel = 0; channel < channels; channel++) out.data[at + channel] = picture.data[from + channel] ?? 0;
  }
  return out;
}

// One more channel of ones.
export function withOpaqueAlpha(picture: Picture, context: NodeContext): Picture {
  const channels = picture.channels + 1;
  const out = context.image(picture.batch, picture.height, picture.width, channels);
  for (let at = 0, from = 0; at < out.data.length; at += channels, from += picture.channels) {
    for (let channel = 0; channel < picture.channels; channel++) {
      out.data[at + channel] = picture.data[from + channel] ?? 0;
    }
    out.data[at + picture.channels] = 1;
  }
  return out;
}

export function greyPicture(mask: Mask, context: NodeContext): Picture {
  const out = context.image(mask.batch, mask.height, mask.width, 3);
  for (let pixel = 0, at = 0; pixel < mask.data.length; pixel++, at += 3) {
    const value = mask.data[pixel] ?? 0;
    out.data[at] = value;
    out.data[at + 1] = value;
    out.data[at + 2] = value;
  }
  return out;
}

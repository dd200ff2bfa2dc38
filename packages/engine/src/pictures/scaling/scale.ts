// Scales a batch, for every class that needs another size: crop to the wanted shape if requested, then resample.

import { type ApplicationProfile, defaultProfile } from "../../application-profile.ts";
import { NodeError } from "../../execution/node-error.ts";
import type { NodeContext } from "../../execution/node-runner.ts";
import type { ScaleMethod } from "../../graph/describe-inputs.ts";
import { cropped } from "../crop.ts";
import { type Mask, type Picture, type Plane, planeOf, roundHalfEven, type Size } from "../picture.ts";
import { resampleLanczos } from "./lanczos.ts";
import { resampleArea, resampleByCorners, resampleByTaps, resampleNearest } from "./resample.ts";
import { cornersMax, cubicTaps, isFusedAlways, linearTaps } from "./taps.ts";

export const crops = ["disabled", "center"] as const;
export type Crop = (typeof crops)[number];

export async function scaled<Kind extends Picture | Mask>(
  value: Kind,
  size: Size,
  method: ScaleMethod,
  crop: Crop,
  context: NodeContext,
): Promise<Kind> {
  if (size.width < 1 || size.height < 1) throw new NodeError(`A picture of ${size.width} × ${size.height} is empty.`);
  const source = crop === "center" ? centred(value, size, context) : value;
  const out = sized(source, size, context);
  const ways = { isCropped: !isInOnePiece(source, value), profile: context.profile };
  for (let index = 0; index < source.batch; index++) {
    await context.breathe(index, source.batch);
    resample(planeOf(source, index), planeOf(out, index), method, ways);
  }
  return out;
}

// Whether the cropped part is still contiguous in memory, where the application only has a view of the whole.
function isInOnePiece(part: Picture | Mask, whole: Picture | Mask): boolean {
  return part === whole || (part.batch === 1 && (part.width === whole.width || part.height === 1));
}

// Vector code holds the channels of a pixel side by side, with room for four.
const channelsMax = 4;

interface Ways {
  readonly isCropped?: boolean;
  readonly profile?: ApplicationProfile;
}

export function resample(source: Plane, target: Plane, method: ScaleMethod, ways: Ways = {}): void {
  const { profile = defaultProfile } = ways;
  const isByCorners =
    target.width + target.height <= cornersMax || (source.channels === channelsMax && !ways.isCropped);
  if (source.channels > channelsMax)
    throw new NodeError(`A picture with ${source.channels} channels cannot be scaled.`);
  if (method === "nearest-exact") resampleNearest(source, target);
  else if (method === "area") resampleArea(source, target);
  else if (method === "lanczos") resampleLanczos(source, target, profile);
  else if (method === "bicubic") {
    const taps = (from: number, to: number) => cubicTaps(from, to, profile);
    resampleByTaps(source, target, taps(source.width, target.width), taps(source.height, target.height));
  } else if (isByCorners) resampleByCorners(source, target);
  else {
    const taps = (from: number, to: number) => linearTaps(from, to, isFusedAlways(profile));
    resampleByTaps(source, target, taps(source.width, target.width), taps(source.height, target.height));
  }
}

// How much to crop evenly on both sides, so that the middle part has the wanted shape.
export function centredMargins({ width, height }: Size, wanted: Size): { readonly x: number; readonly y: number } {
  const [before, after] = [width / height, wanted.width / wanted.height];
  return {
    x: before > after ? roundHalfEven((width - width * (after / before)) / 2) : 0,
    y: before < after ? roundHalfEven((height - height * (before / after)) / 2) : 0,
  };
}

function centred<Kind extends Picture | Mask>(value: Kind, size: Size, context: NodeContext): Kind {
  const { x, y } = centredMargins(value, size);
  if (x === 0 && y === 0) return value;
  return cropped(value, { x, y, width: value.width - x * 2, height: value.height - y * 2 }, context);
}

function sized<Kind extends Picture | Mask>(like: Kind, size: Size, context: NodeContext): Kind {
  const channels = like.kind === "image" ? like.channels : 1;
  const data = context.floats(like.batch * size.height * size.width * channels, "A scaled picture");
  return { ...like, width: size.width, height: size.height, data };
}

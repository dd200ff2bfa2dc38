// Classes that prepare pictures for training: simple colours, sizes and crops. Sizes and crops work on 8 bits, as files would.
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { float, image, int, seedMax } from "../graph/describe-inputs.ts";
import type { FloatInput, InputDescription } from "../graph/node-class.ts";
import { fromBytes, toBytes } from "../pictures/colours/eight-bits.ts";
import { cropped } from "../pictures/crop.ts";
import type { Picture, Size } from "../pictures/picture.ts";
import { legacyDraws } from "../pictures/random.ts";
import { scaled } from "../pictures/scaling/scale.ts";

const { fround } = Math;

type Work = (source: Picture, inputs: Inputs, context: NodeContext) => Picture | Promise<Picture>;

function dataset(name: string, displayName: string, description: string, own: readonly InputDescription[], work: Work) {
  const runner: NodeRunner = {
    description: {
      name,
      displayName,
      category: "dataset/image",
      description,
      inputs: [image("images"), ...own],
      outputs: [{ type: "IMAGE", name: "images" }],
      isExperimental: true,
    },
    run: async (inputs, context) => [await work(inputs.image("images"), inputs, context)],
  };
  return runner;
}

// The application declares no step for these.
const number = (name: string, standard: number, min: number, max: number): FloatInput => {
  return float(name, standard, min, max, 0);
};
const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

function mapped(source: Picture, context: NodeContext, change: (value: number) => number): Picture {
  const data = context.floats(source.data.length, "A picture");
  for (let at = 0; at < data.length; at++) data[at] = change(source.data[at] ?? 0);
  return { ...source, data };
}

function inBytes(source: Picture, context: NodeContext): Picture {
  const data = context.floats(source.data.length, "A picture");
  fromBytes(toBytes(source.data), data);
  return { ...source, data };
}

// Newer versions of the application process the pictures of a batch one by one.
function single(source: Picture, { profile }: NodeContext): Picture {
  if (source.batch !== 1 && profile === "0.7") throw new NodeError("This node takes one picture at a time.");
  return source;
}

const length = (name: string, standard: number) => int(name, standard, 1, 8192);

// Never larger than the picture itself.
function cut(source: Picture, left: number, top: number, inputs: Inputs, context: NodeContext): Picture {
  const rectangle = { x: left, y: top, width: inputs.int("width"), height: inputs.int("height") };
  return cropped(inBytes(source, context), rectangle, context);
}

const half = (side: number, wanted: number): number => Math.max(0, Math.floor((side - wanted) / 2));

const edgeSize = ({ width, height }: Size, edge: number, isWidth: boolean): Size =>
  isWidth
    ? { width: edge, height: Math.trunc(height * (edge / width)) }
    : { width: Math.trunc(width * (edge / height)), height: edge };

export const datasetImages: readonly NodeRunner[] = [
  dataset(
    "AdjustBrightness",
    "Adjust Brightness",
    "Multiplies all colours by a factor.",
    [number("factor", 1, 0, 2)],
    (source, inputs, context) => {
      const factor = fround(inputs.float("factor"));
      return mapped(source, context, (value) => clamped(fround(value * factor)));
    },
  ),
  dataset(
    "AdjustContrast",
    "Adjust Contrast",
    "Scales the contrast by a factor.",
    [number("factor", 1, 0, 2)],
    (source, inputs, context) => {
      const factor = fround(inputs.float("factor"));
      return mapped(source, context, (value) => clamped(fround(fround(fround(value - 0.5) * factor) + 0.5)));
    },
  ),
  dataset(
    "NormalizeImages",
    "Normalize Images",
    "Subtracts a mean and divides by a standard deviation.",
    [number("mean", 0.5, 0, 1), number("std", 0.5, 0.001, 1)],
    (source, inputs, context) => {
      const [mean, deviation] = [fround(inputs.float("mean")), fround(inputs.float("std"))];
      return mapped(source, context, (value) => fround(value - mean) / deviation);
    },
  ),
  dataset(
    "CenterCropImages",
    "Center Crop Images",
    "Crops to the center of a picture.",
    [length("width", 512), length("height", 512)],
    (source, inputs, context) =>
      cut(
        single(source, context),
        half(source.width, inputs.int("width")),
        half(source.height, inputs.int("height")),
        inputs,
        context,
      ),
  ),
  dataset(
    "RandomCropImages",
    "Random Crop Images",
    "Crops a random part of a picture; the seed decides which.",
    [length("width", 512), length("height", 512), int("seed", 0, 0, seedMax)],
    (source, inputs, context) => {
      const draw = legacyDraws(Number(inputs.bigInt("seed") % (2n ** 32n - 1n)));
      const drawn = (side: number, wanted: number) => (side > wanted ? draw(side - wanted) : 0);
      const left = drawn(single(source, context).width, inputs.int("width"));
      return cut(source, left, drawn(source.height, inputs.int("height")), inputs, context);
    },
  ),
  dataset(
    "ResizeImagesByShorterEdge",
    "Resize Images by Shorter Edge",
    "Scales the shorter side to a length and keeps the aspect ratio.",
    [length("shorter_edge", 512)],
    (source, inputs, context) => {
      const edge = inputs.int("shorter_edge");
      const { width, height } = single(source, context);
      return scaled(source, edgeSize(source, edge, width < height), "lanczos", "disabled", context);
    },
  ),
  dataset(
    "ResizeImagesByLongerEdge",
    "Resize Images by Longer Edge",
    "Scales the longer side to a length and keeps the aspect ratio.",
    [length("longer_edge", 1024)],
    (source, inputs, context) => {
      const edge = inputs.int("longer_edge");
      const { width, height } = source;
      return scaled(source, edgeSize(source, edge, width > height), "lanczos", "disabled", context);
    },
  ),
];

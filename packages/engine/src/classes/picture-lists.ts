// Classes that take or make lists: several values on one link. A class after them runs once per value.
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { float, image, int, seedMax, text } from "../graph/describe-inputs.ts";
import type { InputDescription } from "../graph/node-class.ts";
import { byteOf } from "../pictures/colours/eight-bits.ts";
import { listOf, type Picture, planeOf, planes } from "../pictures/picture.ts";
import { legacyDraws } from "../pictures/random.ts";
import { scaled } from "../pictures/scaling/scale.ts";

function picturesOf(inputs: Inputs): Picture[] {
  return inputs.all("images").map((one) => one.image("images"));
}

export const rebatchImages: NodeRunner = {
  description: {
    name: "RebatchImages",
    displayName: "Rebatch Images",
    category: "image/batch",
    description: "Regroups pictures into batches of a size; the last may be smaller.",
    inputs: [image("images"), int("batch_size", 1, 1, 4096)],
    outputs: [{ type: "IMAGE", name: "IMAGE", isList: true }],
    takesLists: true,
  },
  run(inputs, context) {
    const size = inputs.at(0).int("batch_size");
    const singles = picturesOf(inputs).flatMap(singlesOf);
    const starts = Array.from({ length: Math.ceil(singles.length / size) }, (_, index) => index * size);
    return [listOf(starts.map((start) => batchOf(singles.slice(start, start + size), context)))];
  },
};

function batchOf(pictures: readonly Picture[], context: NodeContext): Picture {
  const [first] = pictures;
  if (!first) throw new NodeError("There are no pictures.");
  const isAlike = ({ width, height, channels }: Picture) =>
    width === first.width && height === first.height && channels === first.channels;
  if (!pictures.every(isAlike)) throw new NodeError("Pictures in one batch must have the same size and channels.");
  const out = context.image(pictures.length, first.height, first.width, first.channels);
  for (const [index, picture] of pictures.entries()) planeOf(out, index).data.set(picture.data);
  return out;
}

// Newer versions of the application process the pictures of a batch one by one.
const singlesOf = (picture: Picture): Picture[] => planes(picture).map(({ data }) => ({ ...picture, batch: 1, data }));

type Work = (pictures: readonly Picture[], inputs: Inputs, context: NodeContext) => Promise<Picture[]> | Picture[];

function group(
  name: string,
  displayName: string,
  description: string,
  own: readonly InputDescription[],
  work: Work,
): NodeRunner {
  return {
    description: {
      name,
      displayName,
      category: "dataset/image",
      description,
      inputs: [image("images"), ...own],
      outputs: [{ type: "IMAGE", name: "images", ...(name === "ImageGrid" ? {} : { isList: true }) }],
      isExperimental: true,
      takesLists: true,
    },
    async run(inputs, context) {
      const given = picturesOf(inputs);
      const pictures = context.profile === "0.7" ? given : given.flatMap(singlesOf);
      return [listOf(await work(pictures, inputs, context))];
    },
  };
}

// The permutation that the application's number library makes for this many items.
function permutation(seed: bigint, count: number): number[] {
  const draw = legacyDraws(Number(seed % (2n ** 32n - 1n)));
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = draw(last);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

function inOrder<Item>(items: readonly Item[], order: readonly number[]): Item[] {
  return order.map((index) => {
    const item = items[index];
    if (item === undefined) throw new NodeError("There are fewer texts than pictures.");
    return item;
  });
}

const shuffleImageTextDataset: NodeRunner = {
  description: {
    name: "ShuffleImageTextDataset",
    displayName: "Shuffle Image-Text Dataset",
    category: "dataset/image",
    description: "Shuffles pictures together with their texts; the seed decides the order.",
    inputs: [image("images"), text("texts", ""), int("seed", 0, 0, seedMax)],
    outputs: [
      { type: "IMAGE", name: "images", isList: true },
      { type: "STRING", name: "texts", isList: true },
    ],
    isExperimental: true,
    takesLists: true,
  },
  run(inputs) {
    const pictures = picturesOf(inputs);
    const texts = inputs.all("texts").map((one) => one.text("texts"));
    const order = permutation(inputs.at(0).bigInt("seed"), pictures.length);
    return [listOf(inOrder(pictures, order)), listOf(inOrder(texts, order))];
  },
};

function single(source: Picture): Picture {
  if (source.batch !== 1 || source.channels < 3) throw new NodeError("This node takes one colour picture at a time.");
  return source;
}

// A 64-bit hash: which parts of a picture are brighter than its mean.
async function outlineOf(source: Picture, context: NodeContext): Promise<boolean[]> {
  const small = await scaled(single(source), { width: 8, height: 8 }, "lanczos", "disabled", context);
  const level = (at: number) => byteOf(small.data[at] ?? 0);
  const greys = Array.from({ length: 64 }, (_, pixel) => {
    const at = pixel * small.channels;
    return (level(at) * 19595 + level(at + 1) * 38470 + level(at + 2) * 7471 + 0x8000) >> 16;
  });
  const mean = greys.reduce((sum, grey) => sum + grey, 0) / 64;
  return greys.map((grey) => grey > mean);
}

async function withoutDoubles(pictures: readonly Picture[], least: number, context: NodeContext): Promise<Picture[]> {
  const kept: { readonly picture: Picture; readonly outline: readonly boolean[] }[] = [];
  for (const [index, picture] of pictures.entries()) {
    await context.breathe(index, pictures.length);
    const outline = await outlineOf(picture, context);
    const likeness = (other: readonly boolean[]) => 1 - outline.filter((bit, at) => bit !== other[at]).length / 64;
    if (!kept.some((one) => likeness(one.outline) >= least)) kept.push({ picture, outline });
  }
  return kept.map(({ picture }) => picture);
}

async function gridOf(pictures: readonly Picture[], inputs: Inputs, context: NodeContext): Promise<Picture> {
  const [columns, padding] = [inputs.int("columns"), inputs.int("padding")];
  const cell = { width: inputs.int("cell_width"), height: inputs.int("cell_height") };
  const length = (count: number, side: number) => count * side + (count - 1) * padding;
  const rows = Math.ceil(pictures.length / columns);
  const out = context.image(1, length(rows, cell.height), length(columns, cell.width), 3);
  for (const [index, picture] of pictures.entries()) {
    await context.breathe(index, pictures.length);
    const sized = await scaled(single(picture), cell, "lanczos", "disabled", context);
    const left = (index % columns) * (cell.width + padding);
    const top = Math.floor(index / columns) * (cell.height + padding);
    for (let y = 0; y < cell.height; y++) {
      for (let x = 0; x < cell.width; x++) {
        const from = (y * cell.width + x) * sized.channels;
        out.data.set(sized.data.subarray(from, from + 3), ((top + y) * out.width + left + x) * 3);
      }
    }
  }
  return out;
}

export const pictureLists: readonly NodeRunner[] = [
  group(
    "ShuffleDataset",
    "Shuffle Image Dataset",
    "Shuffles pictures; the seed decides the order.",
    [int("seed", 0, 0, seedMax)],
    (pictures, inputs) => inOrder(pictures, permutation(inputs.bigInt("seed"), pictures.length)),
  ),
  shuffleImageTextDataset,
  group(
    "ImageDeduplication",
    "Image Deduplication",
    "Drops pictures that look like an earlier one.",
    [float("similarity_threshold", 0.95, 0, 1, 0)],
    (pictures, inputs, context) => withoutDoubles(pictures, inputs.float("similarity_threshold"), context),
  ),
  group(
    "ImageGrid",
    "Image Grid",
    "Arranges pictures in a grid, each scaled to its cell.",
    [
      int("columns", 4, 1, 20),
      int("cell_width", 256, 32, 2048),
      int("cell_height", 256, 32, 2048),
      int("padding", 4, 0, 50),
    ],
    async (pictures, inputs, context) => [await gridOf(pictures, inputs, context)],
  ),
  group("MergeImageLists", "Merge Image Lists", "Returns the list unchanged.", [], (pictures) => [...pictures]),
];

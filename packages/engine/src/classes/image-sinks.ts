// Where pictures leave the graph: saved files and previews, as PNG with the graph embedded.
import { createHash } from "node:crypto";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { embeddedTexts } from "../files/embed-graph.ts";
import { outputNames, type plainName } from "../files/file-name.ts";
import { encodePng } from "../files/png.ts";
import { image, mask, text } from "../graph/describe-inputs.ts";
import { greyPicture } from "../pictures/channels.ts";
import { toBytes } from "../pictures/colours/eight-bits.ts";
import { type Picture, planes } from "../pictures/picture.ts";

export const filenamePrefix = (standard: string) =>
  text("filename_prefix", standard, {
    tooltip: "May contain a subfolder and %width%, %height%, %year%, %month%, %day%, %hour%, %minute%, %second%.",
  });

// What saves or shows something ends the graph, and receives it to embed it.
export const sink = {
  outputs: [],
  isOutputNode: true,
  hidden: ["PROMPT", "EXTRA_PNGINFO"],
} as const;

export function channelsOf(picture: Picture): 1 | 2 | 3 | 4 {
  const { channels } = picture;
  if (channels === 1 || channels === 2 || channels === 3 || channels === 4) return channels;
  throw new NodeError(`A picture with ${channels} channels cannot be saved.`);
}

interface SaveOptions {
  readonly prefix: string;
  readonly folder: "output" | "temp";
  // Changes a file's name.
  readonly named?: typeof plainName;
}

// A picture as a complete PNG.
export async function pngOf(
  picture: Picture,
  options: { readonly compressionLevel: number; readonly texts?: ReadonlyMap<string, string> },
): Promise<Buffer> {
  const { width, height } = picture;
  return encodePng({ width, height, channels: channelsOf(picture), frames: [toBytes(picture.data)] }, options);
}

export async function savePictures(pictures: Picture, options: SaveOptions, context: NodeContext): Promise<void> {
  const { prefix, folder, named = (name) => name } = options;
  const nextName = outputNames(prefix, context, pictures, folder);
  const texts = embeddedTexts(context);
  for (const [index, { data }] of planes(pictures).entries()) {
    await context.breathe(index, pictures.batch);
    const bytes = await pngOf({ ...pictures, batch: 1, data }, { compressionLevel: folder === "temp" ? 1 : 4, texts });
    await context.save({ ...named(nextName("png", index)), kind: "image", contentType: "image/png", bytes });
  }
}

export const saveImage: NodeRunner = {
  description: {
    name: "SaveImage",
    displayName: "Save Image",
    category: "image",
    description: "Saves pictures as PNG files with the graph embedded.",
    inputs: [image("images", { tooltip: "The images to save." }), filenamePrefix("Atelier")],
    ...sink,
  },
  weight: 4,
  async run(inputs, context) {
    const pictures = inputs.image("images");
    await context.preview(pictures);
    await savePictures(pictures, { prefix: inputs.text("filename_prefix"), folder: "output" }, context);
    return [];
  },
};

export const previewImage: NodeRunner = {
  description: {
    name: "PreviewImage",
    displayName: "Preview Image",
    category: "image",
    description: "Shows pictures without keeping them as results.",
    inputs: [image("images")],
    ...sink,
  },
  weight: 3,
  run: async (inputs, context) => previewPictures(inputs.image("images"), context),
};

async function previewPictures(pictures: Picture, context: NodeContext): Promise<[]> {
  await context.preview(pictures, true);
  await savePictures(pictures, { prefix: `Atelier_temp_${tag(context)}`, folder: "temp" }, context);
  return [];
}

// Five letters that distinguish the previews of two jobs; the same job gets the same letters again.
function tag(context: NodeContext): string {
  const digest = createHash("sha256").update(`${context.jobId}:${context.nodeId}`).digest();
  return Array.from(digest.subarray(0, 5), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

export const maskPreview: NodeRunner = {
  description: {
    name: "MaskPreview",
    displayName: "Preview Mask",
    category: "mask",
    description: "Shows masks without keeping them as results.",
    inputs: [mask("mask")],
    ...sink,
  },
  weight: 3,
  run: async (inputs, context) => previewPictures(greyPicture(inputs.mask("mask"), context), context),
};

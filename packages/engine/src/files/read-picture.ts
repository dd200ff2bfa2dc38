// Reads a picture file the way the application's newer version does: like a video, through the same library. The file's first
// bytes decide the demuxer.
import { open } from "node:fs/promises";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import type { Mask, Picture } from "../pictures/picture.ts";
import { openPicture } from "./codec.ts";
import { decodePictures } from "./decode.ts";
import { lookAtPicture } from "./picture-file.ts";
import { mediaFormat, probeMedia } from "./probe-media.ts";
import { readFrames } from "./read-frames.ts";

type Context = Pick<NodeContext, "image" | "mask" | "floats" | "expect" | "breathe" | "pixelsMax">;

interface ReadPictures {
  readonly picture: Picture;
  // What is transparent; null if the file does not say.
  readonly mask: Mask | null;
}

const what = "Reading a picture";

export async function readPictures(path: string, context: Context): Promise<ReadPictures> {
  const head = await headOf(path);
  if (isAnimatedWebp(head)) return animated(path, context);
  const format = await readerOf(path, head);
  if (format === null) throw new NodeError("The file is not a picture in a supported format.");
  const { video } = await probeMedia(path, format, what);
  if (!video) throw new NodeError("The file is not a picture in a supported format.");
  const turns = video.turns + (await turnsOf(path, context.pixelsMax));
  const { picture, alpha } = await readFrames({ path, format, stream: video, turns }, context);
  return { picture, mask: alpha && inverted(alpha, context) };
}

function inverted(alpha: Mask, context: Context): Mask {
  const mask = context.mask(alpha.batch, alpha.height, alpha.width);
  for (let at = 0; at < mask.data.length; at++) mask.data[at] = 1 - (alpha.data[at] ?? 0);
  return mask;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

// The installed ffmpeg may not support these.
function isAnimatedWebp(head: Buffer): boolean {
  return /^RIFF[\s\S]{4}WEBPVP8X/.test(head.toString("latin1")) && ((head[20] ?? 0) & 2) !== 0;
}

async function animated(path: string, context: Context): Promise<ReadPictures> {
  const { picture, mask } = await decodePictures(path, context);
  return { picture, mask: mask ?? context.mask(picture.batch, picture.height, picture.width) };
}

const graymaps: Readonly<Record<string, string>> = { 1: "pbm", 2: "pgm", 3: "ppm", 4: "pbm", 5: "pgm", 6: "ppm" };

async function readerOf(path: string, head: Buffer): Promise<string | null> {
  const text = head.toString("latin1");
  const map = graymaps[/^P([1-6])\s/.exec(text)?.[1] ?? ""];
  if (map !== undefined) return `${map}_pipe`;
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return "webp_pipe";
  if (/^(?:II[*]\0|MM\0[*])/.test(text)) return "tiff_pipe";
  const file = await lookAtPicture(path);
  if (file === null || file.format === "other") return mediaFormat(path);
  if (file.format === "gif") return "gif";
  return file.isAnimatedPng ? "apng" : `${file.format}_pipe`;
}

// The orientation tag, as the library interprets it: quarter turns only; a mirrored picture is treated as merely rotated.
const turnsByTag: Readonly<Record<number, number>> = { 2: -2, 3: -2, 5: -1, 6: -1, 7: 1, 8: 1 };

async function turnsOf(path: string, pixelsMax: number): Promise<number> {
  try {
    const { orientation = 1 } = await (await openPicture(path, pixelsMax)).metadata();
    return turnsByTag[orientation] ?? 0;
  } catch {
    return 0;
  }
}

// Pictures out of files. The decoder is asked for the size first, so that a small file with a huge picture is refused
// before a byte of it is unpacked. Colours are 8-bit sRGB as stored; the orientation tag is obeyed.
import { open } from "node:fs/promises";
import type { Metadata, Sharp } from "sharp";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { fractionOf, fromBytes } from "../pictures/eight-bits.ts";
import type { Mask, Picture } from "../pictures/picture.ts";
import { openPicture } from "./codec.ts";

export interface DecodedPictures {
  readonly picture: Picture;
  // What is transparent: 1 − alpha. `null` without an alpha channel.
  readonly mask: Mask | null;
}

type Context = Pick<NodeContext, "image" | "mask" | "expect" | "breathe" | "pixelsMax">;

export async function decodePictures(
  source: string | Uint8Array,
  context: Context,
  options: { readonly pages?: number } = {},
): Promise<DecodedPictures> {
  const metadata = await readMetadata(source, context);
  const pages = Math.min(metadata.pages ?? 1, options.pages ?? metadata.pages ?? 1);
  const frame = { width: metadata.width, height: metadata.pageHeight ?? metadata.height };
  const pixels = frame.width * frame.height * pages;
  if (pixels > context.pixelsMax) throw new NodeError(tooLarge(frame.width, frame.height, pages), "out_of_memory");
  // Bytes from the decoder and floats from us live side by side for a moment.
  context.expect(pixels * (4 + 3 * 4 + (metadata.hasAlpha ? 4 : 0)), `A picture of ${frame.width} × ${frame.height}`);
  await context.breathe(0, pages);
  const { data, width, height, channels } = await unpack(source, pages, context.pixelsMax);
  return split(data, { width, height: height / pages, channels, batch: pages }, metadata.hasAlpha, context);
}

async function readMetadata(source: string | Uint8Array, context: Context): Promise<Metadata> {
  const unreadable = new NodeError("The file is not a picture that can be read.");
  if (!isPicture(await firstBytes(source))) throw unreadable;
  try {
    return await (await openPicture(source, context.pixelsMax)).metadata();
  } catch {
    throw unreadable;
  }
}

async function firstBytes(source: string | Uint8Array): Promise<Buffer> {
  if (typeof source !== "string") return Buffer.from(source.subarray(0, 16));
  const file = await open(source, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

// PNG, JPEG, GIF, TIFF in both orders, WEBP, AVIF and HEIF. The decoder knows more formats than strangers should reach.
function isPicture(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (/^(?:\x89PNG|\xff\xd8\xff|GIF8|II[*+]\0|MM\0[*+])/.test(text)) return true;
  return /^RIFF[\s\S]{4}WEBP/.test(text) || /^[\s\S]{4}ftyp(?:avif|avis|hei[cfsx]|mif1)/.test(text);
}

function tooLarge(width: number, height: number, pages: number): string {
  const frames = pages > 1 ? ` with ${pages} frames` : "";
  return `The picture is too large: ${width} × ${height}${frames}.`;
}

interface Unpacked {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

async function unpack(source: string | Uint8Array, pages: number, pixelsMax: number): Promise<Unpacked> {
  try {
    const opened: Sharp = await openPicture(source, pixelsMax, { pages });
    const upright = pages === 1 ? opened.rotate() : opened;
    const { data, info } = await upright
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: info.channels };
  } catch {
    throw new NodeError("The file is damaged: its picture could not be read.");
  }
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly batch: number;
}

function split(data: Uint8Array, shape: Shape, hasAlpha: boolean, context: Context): DecodedPictures {
  const { width, height, channels, batch } = shape;
  const picture = context.image(batch, height, width, 3);
  const mask = hasAlpha && (channels === 2 || channels === 4) ? context.mask(batch, height, width) : null;
  if (channels === 3) {
    fromBytes(data, picture.data);
    return { picture, mask };
  }
  const isGrey = channels < 3;
  for (let pixel = 0, from = 0, to = 0; pixel < batch * height * width; pixel++, from += channels, to += 3) {
    picture.data[to] = fractionOf(data[from] ?? 0);
    picture.data[to + 1] = fractionOf(data[isGrey ? from : from + 1] ?? 0);
    picture.data[to + 2] = fractionOf(data[isGrey ? from : from + 2] ?? 0);
    if (mask) mask.data[pixel] = 1 - fractionOf(data[from + channels - 1] ?? 0);
  }
  return { picture, mask };
}

// Decodes pictures from files. We ask the decoder for the size first, so that a small file with a huge picture is refused before
// a byte of it is unpacked. Colours are 8-bit sRGB as stored; the orientation tag is applied.
import { readFile } from "node:fs/promises";
import type { Metadata, Sharp } from "sharp";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { fromBytes, toFraction } from "../pictures/colours/eight-bits.ts";
import { type Mask, type Picture, planeOf, type Size } from "../pictures/picture.ts";
import { ApngCanvas, readApng } from "./apng.ts";
import { readBmpHead, readBmpPixels } from "./bmp.ts";
import { openPicture } from "./codec.ts";
import { lookAtPicture, type PictureFile } from "./picture-file.ts";

interface DecodedPictures {
  readonly picture: Picture;
  // What is transparent: 1 − alpha. `null` without an alpha channel.
  readonly mask: Mask | null;
  // LoadImage ignores a colour that stands for "transparent"; LoadImageMask does not.
  readonly hasMask: boolean;
}

type Context = Pick<NodeContext, "image" | "mask" | "expect" | "breathe" | "pixelsMax">;

const unreadable = () => new NodeError("The file is not a picture in a supported format.");

export async function decodePictures(
  source: string | Uint8Array,
  context: Context,
  options: { readonly pages?: number } = {},
): Promise<DecodedPictures> {
  const file = await lookAtPicture(source);
  if (file === null) throw unreadable();
  if (file.format === "bmp") return decodeBmp(await bytesOf(source), context);
  if (file.isAnimatedPng && options.pages !== 1) return decodeApng(await bytesOf(source), file, context);
  const metadata = await readMetadata(source, context);
  const pages = Math.min(metadata.pages ?? 1, options.pages ?? metadata.pages ?? 1);
  const frame = { width: metadata.width, height: metadata.pageHeight ?? metadata.height };
  refuseLarge(frame, pages, metadata.hasAlpha, context);
  await context.breathe(0, pages);
  const { data, width, height, channels } = await unpack(source, metadata, pages, context.pixelsMax);
  const shape = { width, height: height / pages, channels, batch: pages };
  const decoded = split(data, shape, metadata.hasAlpha, context);
  if (file.hiddenColour !== null) showHidden(decoded, file.hiddenColour);
  return { ...decoded, hasMask: decoded.mask !== null && file.hasMask !== false };
}

// A GIF has a colour where it is transparent, and the application uses it.
function showHidden({ picture, mask }: Pick<DecodedPictures, "picture" | "mask">, colour: readonly number[]): void {
  for (const [pixel, hidden] of mask?.data.entries() ?? []) {
    if (hidden !== 1) continue;
    for (let channel = 0; channel < 3; channel++) picture.data[pixel * 3 + channel] = toFraction(colour[channel] ?? 0);
  }
}

function refuseLarge(frame: Size, pages: number, hasAlpha: boolean, context: Context): void {
  const pixels = frame.width * frame.height * pages;
  if (pixels > context.pixelsMax) throw new NodeError(tooLarge(frame.width, frame.height, pages), "out_of_memory");
  // The decoder's bytes and our floats coexist for a moment.
  context.expect(pixels * (4 + 3 * 4 + (hasAlpha ? 4 : 0)), `A picture of ${frame.width} × ${frame.height}`);
}

async function bytesOf(source: string | Uint8Array): Promise<Buffer> {
  return typeof source === "string" ? readFile(source) : Buffer.from(source);
}

function decodeBmp(file: Buffer, context: Context): DecodedPictures {
  const head = readBmpHead(file);
  refuseLarge(head, 1, head.hasAlpha, context);
  const shape = { width: head.width, height: head.height, channels: head.hasAlpha ? 4 : 3, batch: 1 };
  return { ...split(readBmpPixels(file, head), shape, head.hasAlpha, context), hasMask: head.hasAlpha };
}

async function decodeApng(file: Buffer, { hasMask }: PictureFile, context: Context): Promise<DecodedPictures> {
  const animation = readApng(file);
  const { width, height, frames } = animation;
  refuseLarge(animation, frames.length, true, context);
  const canvas = new ApngCanvas(animation);
  const picture = context.image(frames.length, height, width, 3);
  const mask = hasMask === true ? context.mask(frames.length, height, width) : null;
  for (const [index, frame] of frames.entries()) {
    await context.breathe(index, frames.length);
    canvas.show(frame, await fourChannels(frame.png, context.pixelsMax));
    const shape = { width, height, channels: 4, batch: 1 };
    splitInto(canvas.pixels, shape, planeOf(picture, index).data, mask && planeOf(mask, index).data);
  }
  return { picture, mask, hasMask: mask !== null };
}

async function fourChannels(png: Buffer, pixelsMax: number): Promise<Buffer> {
  try {
    const opened = await openPicture(png, pixelsMax);
    return await opened.toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" }).toBuffer();
  } catch {
    throw damaged();
  }
}

async function readMetadata(source: string | Uint8Array, context: Context): Promise<Metadata> {
  try {
    return await (await openPicture(source, context.pixelsMax)).metadata();
  } catch {
    throw unreadable();
  }
}

const damaged = () => new NodeError("The file is damaged: the picture could not be read.");

function tooLarge(width: number, height: number, pages: number): string {
  const frames = pages > 1 ? ` with ${pages} frames` : "";
  return `The picture is too large: ${width} × ${height}${frames}.`;
}

interface Unpacked extends Size {
  readonly data: Uint8Array;
  readonly channels: number;
}

async function unpack(
  source: string | Uint8Array,
  metadata: Metadata,
  pages: number,
  pixelsMax: number,
): Promise<Unpacked> {
  try {
    const opened: Sharp = await openPicture(source, pixelsMax, { pages });
    const upright = pages === 1 ? opened.rotate() : opened;
    if (metadata.space === "cmyk") return inksToColours(await raw(upright.pipelineColourspace("cmyk"), "cmyk"));
    if (metadata.space === "grey16" && metadata.channels === 1) return lowLevels(upright);
    return await raw(upright, "srgb");
  } catch (thrown) {
    throw thrown instanceof NodeError ? thrown : damaged();
  }
}

async function raw(picture: Sharp, space: string): Promise<Unpacked> {
  const made = picture.toColourspace(space).raw({ depth: "uchar" });
  const { data, info } = await made.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

// The application's reader converts 16-bit grey to 8 bits by clipping everything above 255.
async function lowLevels(picture: Sharp): Promise<Unpacked> {
  const made = picture.toColourspace("grey16").raw({ depth: "ushort" });
  const { data, info } = await made.toBuffer({ resolveWithObject: true });
  const levels = new Uint8ClampedArray(new Uint16Array(data.buffer, data.byteOffset, data.length / 2));
  const bytes = new Uint8Array(levels.buffer);
  return { data: bytes, width: info.width, height: info.height, channels: info.channels };
}

// Without a profile: the light that the inks leave.
function inksToColours({ data, width, height }: Unpacked): Unpacked {
  const out = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    const light = 255 - (data[from + 3] ?? 0);
    for (let ink = 0; ink < 3; ink++) {
      const taken = (data[from + ink] ?? 0) * light + 128;
      out[to + ink] = light - (((taken >> 8) + taken) >> 8);
    }
  }
  return { data: out, width, height, channels: 3 };
}

interface Shape extends Size {
  readonly channels: number;
  readonly batch: number;
}

function split(
  data: Uint8Array,
  shape: Shape,
  hasAlpha: boolean,
  context: Context,
): Pick<DecodedPictures, "picture" | "mask"> {
  const { width, height, channels, batch } = shape;
  const picture = context.image(batch, height, width, 3);
  const mask = hasAlpha && (channels === 2 || channels === 4) ? context.mask(batch, height, width) : null;
  splitInto(data, shape, picture.data, mask?.data ?? null);
  return { picture, mask };
}

function splitInto(data: Uint8Array, shape: Shape, colours: Float32Array, mask: Float32Array | null): void {
  const { width, height, channels, batch } = shape;
  if (channels === 3) {
    fromBytes(data, colours);
    return;
  }
  const isGrey = channels < 3;
  for (let pixel = 0, from = 0, to = 0; pixel < batch * height * width; pixel++, from += channels, to += 3) {
    colours[to] = toFraction(data[from] ?? 0);
    colours[to + 1] = toFraction(data[isGrey ? from : from + 1] ?? 0);
    colours[to + 2] = toFraction(data[isGrey ? from : from + 2] ?? 0);
    if (mask) mask[pixel] = 1 - toFraction(data[from + channels - 1] ?? 0);
  }
}

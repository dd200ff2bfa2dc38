// Reads pictures and videos the way the application's newer version reads both: through its video library, to floats. Full 8-bit
// colours become bytes first; greys keep all their bits; everything else is converted to planes of floats, from a copy padded to
// whole vectors. ffmpeg does the conversion; the little that its older versions do differently is done here.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { fromBytes } from "../pictures/colours/eight-bits.ts";
import { type Mask, type Picture, planeOf, type Size } from "../pictures/picture.ts";
import { turnPlane } from "../pictures/turn.ts";
import { bounded, everyFrame, needTool, runTool } from "./ffmpeg.ts";
import { coloursOf, isMixedHere } from "./film-colours.ts";
import { inputWords, unreadable, type VideoStream } from "./probe-media.ts";

type Context = Pick<NodeContext, "image" | "mask" | "floats" | "expect" | "breathe" | "pixelsMax">;

export interface ReadFrames {
  readonly picture: Picture;
  // How opaque it is; null if the file does not say.
  readonly alpha: Mask | null;
}

interface FrameFile {
  readonly path: string;
  // The demuxer to use.
  readonly format: string;
  readonly stream: VideoStream;
  // Quarter turns, counter-clockwise; negative for clockwise.
  readonly turns: number;
}

const inBytes = new Set(["yuvj420p", "yuvj422p", "yuvj444p", "rgb24", "rgba", "pal8"]);
const hasAlpha = (format: string): boolean =>
  format === "pal8" || /^(?:rgba|bgra|argb|abgr|ya\d|yuva|gbrap)/.test(format);
const isGrey = (format: string): boolean => /^(?:gray|gray16[bl]e|mono[bw])$/.test(format);
const isPacked = (format: string): boolean => /^(?:rgba|bgra|argb|abgr)$/.test(format);

const vector = 32;
const isPadded = ({ width }: Size): boolean => width % vector !== 0;

// One level of 16 bits, as the library divides.
const sixteenth = Math.fround(1 / 65_535);
const fraction = (level: number): number => level * sixteenth;

export async function readFrames(file: FrameFile, context: Context): Promise<ReadFrames> {
  const { width, height, pixelFormat } = file.stream;
  if (width * height > context.pixelsMax)
    throw new NodeError(`The picture is too large: ${width} × ${height}.`, "out_of_memory");
  await context.breathe(0, 1);
  const isClearGrey = pixelFormat === "ya8" && !isPadded(file.stream);
  const read = isGrey(pixelFormat)
    ? await readGreys(file, context)
    : isClearGrey
      ? await readClearGreys(file, context)
      : inBytes.has(pixelFormat)
        ? await readBytes(file, context)
        : await readFloats(file, context);
  return turned(read, file.turns, context);
}

async function raw(file: FrameFile, filters: readonly string[], cost: number, context: Context): Promise<Buffer> {
  const { path, format, stream } = file;
  const tool = needTool("ffmpeg", "Reading a picture or a video");
  return runTool({
    path: tool,
    words: [
      ...[...bounded, "-noautorotate", ...inputWords(path, format), "-map", "0:v:0"],
      ...(await everyFrame(tool)),
      ...["-vf", filters.join(","), "-f", "rawvideo", "pipe:1"],
    ],
    // The data twice while it is joined, then next to the floats.
    onBytes: (total) => context.expect(total * cost, `A picture of ${stream.width} × ${stream.height}`),
    failure: unreadable,
  });
}

function framesIn(bytes: Buffer, perFrame: number): number {
  const batch = Math.floor(bytes.length / perFrame);
  if (batch === 0) throw new NodeError("The file contains no picture.");
  return batch;
}

// 8 bits are the upper half of 16, with an empty lower half; so is a padded bit; other bits are all or nothing.
async function readGreys(file: FrameFile, context: Context): Promise<ReadFrames> {
  const { width, height, pixelFormat } = file.stream;
  const isDeep = pixelFormat.startsWith("gray16");
  const bytes = await raw(file, [`format=${isDeep ? "gray16le" : "gray"}`], 14, context);
  const pixels = width * height;
  const batch = framesIn(bytes, pixels * (isDeep ? 2 : 1));
  const picture = context.image(batch, height, width, 3);
  const by = pixelFormat === "gray" || isPadded(file.stream) ? 256 : 257;
  const levelAt = (at: number) => (isDeep ? bytes.readUInt16LE(at * 2) : (bytes[at] ?? 0) * by);
  for (let at = 0; at < batch * pixels; at++) picture.data.fill(fraction(levelAt(at)), at * 3, at * 3 + 3);
  return { picture, alpha: null };
}

async function readClearGreys(file: FrameFile, context: Context): Promise<ReadFrames> {
  const { width, height } = file.stream;
  const bytes = await raw(file, ["format=ya8"], 10, context);
  const batch = framesIn(bytes, width * height * 2);
  const [picture, alpha] = [context.image(batch, height, width, 3), context.mask(batch, height, width)];
  for (let at = 0; at < alpha.data.length; at++) {
    picture.data.fill(fraction((bytes[at * 2] ?? 0) * 256), at * 3, at * 3 + 3);
    alpha.data[at] = fraction((bytes[at * 2 + 1] ?? 0) * 256);
  }
  return { picture, alpha };
}

async function readBytes(file: FrameFile, context: Context): Promise<ReadFrames> {
  const { width, height, pixelFormat } = file.stream;
  const isClear = hasAlpha(pixelFormat);
  const bytes = isMixedHere(file.stream)
    ? coloursOf(await raw(file, ["null"], 8, context), file.stream)
    : await raw(file, ["scale=flags=bilinear", `format=${isClear ? "rgba" : "rgb24"}`], 5, context);
  const pixels = width * height;
  const batch = framesIn(bytes, pixels * (isClear ? 4 : 3));
  const picture = context.image(batch, height, width, 3);
  if (!isClear) {
    fromBytes(bytes.subarray(0, batch * pixels * 3), picture.data);
    return { picture, alpha: null };
  }
  const alpha = context.mask(batch, height, width);
  for (let at = 0; at < batch * pixels; at++) {
    for (let channel = 0; channel < 3; channel++) picture.data[at * 3 + channel] = (bytes[at * 4 + channel] ?? 0) / 255;
    alpha.data[at] = (bytes[at * 4 + 3] ?? 0) / 255;
  }
  return { picture, alpha };
}

const whole = (side: number): number => Math.ceil(side / vector) * vector;

// The position of chroma relative to luma: as the stream says, otherwise centred.
export function chromaWords({ pixelFormat, chromaLocation }: VideoStream): string {
  const isHalved = /^yuva?4(?:2[02]|11|40)p/.test(pixelFormat);
  const [across, down] = { left: [0, 128], center: [128, 128], topleft: [0, 0], top: [128, 0] }[chromaLocation] ?? [];
  if (!isHalved || across === undefined) return "";
  return /^yuva?420p/.test(pixelFormat) ? `:in_h_chr_pos=${across}:in_v_chr_pos=${down}` : `:in_h_chr_pos=${across}`;
}

async function readFloats(file: FrameFile, context: Context): Promise<ReadFrames> {
  const { width, height, pixelFormat } = file.stream;
  const isClear = hasAlpha(pixelFormat);
  const isWider = isPadded(file.stream);
  const size: Size = isWider ? { width: whole(width), height: whole(height) } : { width, height };
  const padding = [
    // Padding works on planes.
    ...(isPacked(pixelFormat) ? ["format=gbrap"] : []),
    `pad=${size.width}:${size.height}:0:0`,
    `fillborders=left=0:right=${size.width - width}:top=0:bottom=${size.height - height}:mode=smear`,
  ];
  const conversion = [
    `scale=flags=bilinear${chromaWords(file.stream)}`,
    `format=${isClear ? "gbrapf32le" : "gbrpf32le"}`,
  ];
  const bytes = await raw(file, [...(isWider ? padding : []), ...conversion], 2, context);
  const pixels = size.width * size.height;
  const channels = isClear ? 4 : 3;
  const batch = framesIn(bytes, pixels * channels * 4);
  const planes = new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + batch * pixels * channels * 4),
  );
  const picture = context.image(batch, height, width, 3);
  const alpha = isClear ? context.mask(batch, height, width) : null;
  // Green, blue, red.
  const order = [2, 0, 1];
  for (let index = 0; index < batch; index++) {
    await context.breathe(index, batch);
    const [colours, cover] = [planeOf(picture, index).data, alpha && planeOf(alpha, index).data];
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const from = index * channels * pixels + y * size.width + x;
        for (const [channel, plane] of order.entries()) colours[at * 3 + channel] = planes[from + plane * pixels] ?? 0;
        if (cover) cover[at] = planes[from + 3 * pixels] ?? 0;
      }
    }
  }
  if (alpha && isWider && isPacked(pixelFormat)) await fillCover(file, alpha, context);
  return { picture, alpha };
}

// Older versions lose a level of it on the way to planes.
async function fillCover(file: FrameFile, alpha: Mask, context: Context): Promise<void> {
  const bytes = await raw(file, ["format=rgba"], 2, context);
  for (let at = 0; at < alpha.data.length; at++) alpha.data[at] = fraction((bytes[at * 4 + 3] ?? 0) * 256);
}

function turned({ picture, alpha }: ReadFrames, turns: number, context: Context): ReadFrames {
  const clockwise = (((-turns % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  if (clockwise === 0) return { picture, alpha };
  const size = clockwise === 2 ? picture : { width: picture.height, height: picture.width };
  const out = context.image(picture.batch, size.height, size.width, 3);
  const cover = alpha && context.mask(picture.batch, size.height, size.width);
  for (let index = 0; index < picture.batch; index++) {
    turnPlane(planeOf(picture, index), planeOf(out, index).data, clockwise);
    if (alpha && cover) turnPlane(planeOf(alpha, index), planeOf(cover, index).data, clockwise);
  }
  return { picture: out, alpha: cover };
}

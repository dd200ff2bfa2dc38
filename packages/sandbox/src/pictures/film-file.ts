// Encodes and decodes videos. With ffmpeg installed a video is an MP4 (H.264, 4:2:0, its table in front), which every player and
// every chain of nodes can read; otherwise it is an animated WebP, as sharp writes it. We write and read containers through a
// temporary file, because their tables are at positions that a pipe cannot seek back to.
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bounded, everyFrame, type Feed, findTool, runTool } from "@atelier/engine/ffmpeg";
import sharp, { type SharpOptions } from "sharp";
import { encodeAnimation } from "./encode.ts";

export type FilmFormat = "mp4" | "webp";

// Frames one below the other.
export interface Film {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly framesPerSecond: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

export interface FilmFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly extension: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function usualFilmFormat(): FilmFormat {
  return findTool("ffmpeg") === null ? "webp" : "mp4";
}

// `asked` is the size of an MP4; a WebP keeps the size in which it was drawn.
export async function encodeFilm(film: Film, asked: Size, format: FilmFormat): Promise<FilmFile> {
  const tool = format === "mp4" ? findTool("ffmpeg") : null;
  if (tool !== null) {
    // An ffmpeg without an H.264 encoder is as good as none.
    const bytes = await encodeMp4(film, asked, tool).catch(() => null);
    if (bytes !== null) return { bytes, contentType: "video/mp4", extension: "mp4" };
  }
  const { width, height, count, framesPerSecond } = film;
  const delays = frameDelays(count, framesPerSecond);
  const finer = { delays, quality: 95 };
  const bytes = await encodeAnimation(film.pixels, { width, height, count, milliseconds: 0 }, finer);
  return { bytes, contentType: "image/webp", extension: "webp" };
}

// Whole milliseconds that add up to the video's length.
export function frameDelays(frames: number, framesPerSecond: number): readonly number[] {
  const at = (frame: number) => Math.round((frame * 1000) / framesPerSecond);
  return Array.from({ length: frames }, (_, frame) => at(frame + 1) - at(frame));
}

// 4:2:0 stores colour for every second pixel and row, so sides must be even.
const even = (side: number) => Math.max(2, side - (side % 2));

function encodeMp4(film: Film, asked: Size, tool: string): Promise<Buffer> {
  const { width, height, framesPerSecond } = film;
  const scale = `scale=${even(asked.width)}:${even(asked.height)}:flags=bicubic:out_color_matrix=bt709:out_range=tv`;
  const colours = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"];
  return inFolder(async (folder) => {
    const path = join(folder, "film.mp4");
    await runTool({
      path: tool,
      words: [
        ...[...bounded, "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`],
        ...["-r", rateOf(framesPerSecond), "-i", "pipe:0", "-vf", scale, "-c:v", "libx264", "-preset", "veryfast"],
        ...["-crf", "18", "-pix_fmt", "yuv420p", ...colours, "-threads", "2", "-movflags", "+faststart"],
        ...["-f", "mp4", `file:${path}`],
      ],
      feeds: [framesOf(film)],
      failure: "The video could not be encoded.",
    });
    return readFile(path);
  });
}

const rateOf = (framesPerSecond: number) => `${Math.round(framesPerSecond * 1000)}/1000`;

async function* framesOf({ width, height, count, pixels }: Film): Feed {
  const bytes = width * height * 3;
  for (let frame = 0; frame < count; frame++) yield pixels.subarray(frame * bytes, (frame + 1) * bytes);
}

export interface DecodedFilm extends Film {
  // The size before it was reduced for processing.
  readonly shown: Size;
}

export interface FilmLimits {
  fit(size: Size): Size;
  readonly framesMax: number;
}

export async function decodeFilm(bytes: Buffer, limits: FilmLimits): Promise<DecodedFilm> {
  const isMp4 = bytes.toString("latin1", 4, 8) === "ftyp";
  return isMp4 ? decodeMp4(bytes, limits) : decodeAnimation(bytes, limits);
}

async function decodeMp4(bytes: Buffer, limits: FilmLimits): Promise<DecodedFilm> {
  const [tool, prober] = [findTool("ffmpeg"), findTool("ffprobe")];
  if (tool === null || prober === null)
    throw new Error("Reading an MP4 needs ffmpeg, which is not installed on this machine.");
  return inFolder(async (folder) => {
    const path = join(folder, "film.mp4");
    await writeFile(path, bytes);
    const input = ["-protocol_whitelist", "file", "-f", "mov", "-i", `file:${path}`];
    const { framesPerSecond, ...shown } = await probed(prober, input);
    const { width, height } = limits.fit(shown);
    const pixels = await runTool({
      path: tool,
      words: [
        ...[...bounded, "-noautorotate", ...input, "-map", "0:v:0", ...(await everyFrame(tool))],
        ...["-frames:v", String(limits.framesMax), "-vf", `scale=${width}:${height}:flags=area`],
        ...["-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"],
      ],
      failure: unreadable,
    });
    const count = Math.floor(pixels.byteLength / (width * height * 3));
    if (count === 0) throw new Error("The video has no frames.");
    return { width, height, count, framesPerSecond, shown, pixels: new Uint8Array(pixels) };
  });
}

const unreadable = "The video is damaged: it could not be read.";
const probeBytesMax = 1024 ** 2;
const framesPerSecondMax = 60;

async function probed(prober: string, input: readonly string[]): Promise<Size & { readonly framesPerSecond: number }> {
  const entries = ["-select_streams", "v:0", "-show_entries", "stream=width,height,avg_frame_rate"];
  const said = await runTool({
    path: prober,
    words: ["-v", "error", ...entries, "-of", "csv=p=0", ...input],
    onBytes(total) {
      if (total > probeBytesMax) throw new Error(unreadable);
    },
    failure: unreadable,
  });
  const [width = "", height = "", rate = ""] = said.toString("latin1").trim().split(",");
  const [count = 0, per = 1] = rate.split("/").map(Number);
  const framesPerSecond = count > 0 && per > 0 ? Math.min(framesPerSecondMax, Math.max(1, count / per)) : 24;
  if (!(Number(width) > 0 && Number(height) > 0)) throw new Error("The video contains no pictures.");
  return { width: Number(width), height: Number(height), framesPerSecond };
}

const decodedPixelsMax = 50_000_000;
const usualDelayMs = 100;

// A still picture is a video of one frame.
async function decodeAnimation(bytes: Buffer, limits: FilmLimits): Promise<DecodedFilm> {
  const open = (options: SharpOptions) => sharp(bytes, { limitInputPixels: decodedPixelsMax, ...options });
  const { width: wide, height: tall, pageHeight, pages = 1, delay = [] } = await open({ pages: -1 }).metadata();
  const shown = { width: wide, height: pageHeight ?? tall };
  const { width, height } = limits.fit(shown);
  const count = Math.min(pages, limits.framesMax);
  const pixels = new Uint8Array(width * height * 3 * count);
  for (let page = 0; page < count; page++) {
    const frame = open({ page }).toColourspace("srgb").flatten({ background: "#ffffff" });
    const { data } = await frame.resize({ width, height, fit: "fill" }).raw().toBuffer({ resolveWithObject: true });
    pixels.set(data.subarray(0, width * height * 3), page * width * height * 3);
  }
  const lengthMs = delay.slice(0, count).reduce((sum, part) => sum + part, 0) || count * usualDelayMs;
  const framesPerSecond = Math.min(framesPerSecondMax, Math.max(1, (count * 1000) / lengthMs));
  return { width, height, count, framesPerSecond, shown, pixels };
}

// A sandbox ends with its server, even in the middle of a video.
const inUse = new Set<string>();
const removeAll = () => {
  // The tool may still be writing into it.
  for (const folder of inUse) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
};

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  // Made and noted in one turn: a process that ends in between would leave it behind.
  const folder = mkdtempSync(join(tmpdir(), "atelier-film-"));
  if (inUse.size === 0) process.on("exit", removeAll);
  inUse.add(folder);
  try {
    return await work(folder);
  } finally {
    inUse.delete(folder);
    if (inUse.size === 0) process.off("exit", removeAll);
    await rm(folder, { recursive: true, force: true });
  }
}

// Encodes videos and sounds into files. A container's header holds what is only known at the end (lengths, tables, what to
// trim), so the encoder writes to a scratch file instead of a pipe; we read it and remove it right away.
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { toBytes, toWords } from "../pictures/colours/eight-bits.ts";
import { type ClipFile, type Picture, planeOf, roundHalfEven, type Sound } from "../pictures/picture.ts";
import { bounded, type Feed, needTool, runTool } from "./ffmpeg.ts";
import { inputWords } from "./probe-media.ts";

type Context = Pick<NodeContext, "expect" | "breathe" | "scratch">;

export interface EncodeOptions {
  readonly what: string;
  readonly frames: {
    readonly pictures: Picture;
    readonly framesPerSecond: number;
    // Whether the encoder gets 16 bits per colour.
    readonly isDeep?: boolean;
  } | null;
  readonly sound: Sound | null;
  // The most samples per channel; all of them if absent.
  readonly samplesMax?: number;
  // Arguments after the inputs: codecs and container.
  readonly words: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

export async function encodeMedia(options: EncodeOptions, context: Context): Promise<Buffer> {
  const feeds: Feed[] = [];
  const inputs: string[] = [];
  const descriptor = () => (feeds.length === 0 ? "pipe:0" : `pipe:${feeds.length + 2}`);
  if (options.frames) {
    const { pictures, framesPerSecond, isDeep = false } = options.frames;
    const layout = layouts[isDeep ? 16 : 8][pictures.channels] ?? "rgb24";
    inputs.push("-f", "rawvideo", "-pix_fmt", layout, "-s", `${pictures.width}x${pictures.height}`);
    inputs.push("-r", rationalRate(framesPerSecond), "-i", descriptor());
    feeds.push(frameBytes(pictures, isDeep, context));
  }
  if (options.sound) {
    const { channels, sampleRate } = options.sound;
    inputs.push("-f", "f32le", "-ar", String(sampleRate), "-ac", String(channels), "-i", descriptor());
    feeds.push(sampleBytes(options.sound, options.samplesMax ?? options.sound.length, context));
  }
  const path = needTool("ffmpeg", options.what);
  return withTexts(options.texts, context, (texts) => {
    const words = [...inputs, ...texts, ...options.words, "-map_metadata", String(feeds.length)];
    const failure = `${options.what} failed: the installed ffmpeg could not encode it.`;
    return written(context, (file) =>
      runTool({ path, words: [...bounded, ...words, ...fileWords(file)], feeds, failure }),
    );
  });
}

interface CopyOptions {
  readonly what: string;
  readonly file: ClipFile;
  readonly words: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

// Copies the same packets into a new container, bit for bit.
export async function copyMedia({ what, file, words, texts }: CopyOptions, context: Context): Promise<Buffer> {
  const streams = ["-map", "0:v", "-map", "0:a?", "-c", "copy"];
  const tool = needTool("ffmpeg", what);
  return withTexts(texts, context, (textWords) => {
    const before = [...bounded, ...inputWords(file.path, file.format), ...textWords, ...streams, ...words];
    const failure = `${what} failed: the installed ffmpeg could not copy the video.`;
    return written(context, (path) =>
      runTool({
        path: tool,
        words: [...before, "-map_metadata", "1", "-map_metadata", "0", ...fileWords(path)],
        failure,
      }),
    );
  });
}

const fileBytesMax = 1024 ** 3;
const fileWords = (path: string) => ["-fs", String(fileBytesMax), `file:${path}`];

async function written(context: Context, write: (path: string) => Promise<unknown>): Promise<Buffer> {
  const path = context.scratch();
  try {
    await write(path);
    const { size } = await stat(path);
    if (size >= fileBytesMax) throw new NodeError("The encoded file is larger than 1 GiB.", "out_of_memory");
    context.expect(size * 2, "An encoded file");
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

// In thousandths, as the application requests it.
const rationalRate = (framesPerSecond: number): string => `${roundHalfEven(framesPerSecond * 1000)}/1000`;

// The sound ends with the last frame.
export function samplesOf(frames: number, framesPerSecond: number, sampleRate: number): number {
  return Math.ceil((sampleRate * 1000 * frames) / roundHalfEven(framesPerSecond * 1000));
}

// By number of channels, for 8 and for 16 bits.
const layouts: Readonly<Record<8 | 16, Readonly<Record<number, string>>>> = {
  8: { 1: "gray", 3: "rgb24", 4: "rgba" },
  16: { 1: "gray16le", 3: "rgb48le", 4: "rgba64le" },
};

async function* frameBytes(pictures: Picture, isDeep: boolean, context: Context): Feed {
  for (let index = 0; index < pictures.batch; index++) {
    await context.breathe(index, pictures.batch);
    const { data } = planeOf(pictures, index);
    yield isDeep ? toWords(data) : toBytes(data);
  }
}

const samplesAtOnce = 16_384;

async function* sampleBytes({ channels, length, data }: Sound, samplesMax: number, context: Context): Feed {
  const samples = Math.min(length, samplesMax);
  for (let start = 0; start < samples; start += samplesAtOnce) {
    await context.breathe(start, samples);
    const count = Math.min(samplesAtOnce, samples - start);
    const part = Buffer.alloc(count * channels * 4);
    for (let at = 0; at < count; at++) {
      for (let channel = 0; channel < channels; channel++) {
        part.writeFloatLE(data[channel * length + start + at] ?? 0, (at * channels + channel) * 4);
      }
    }
    yield part;
  }
}

// Texts go to the encoder in a file: a command-line argument cannot be as long as a graph.
async function withTexts<T>(
  texts: ReadonlyMap<string, string>,
  context: Context,
  work: (words: readonly string[]) => Promise<T>,
): Promise<T> {
  const path = context.scratch();
  const escaped = (text: string) => text.replace(/[=;#\\\n]/g, "\\$&");
  const lines = Array.from(texts, ([name, text]) => `${escaped(name)}=${escaped(text)}\n`);
  try {
    await writeFile(path, `;FFMETADATA1\n${lines.join("")}`);
    return await work(["-f", "ffmetadata", "-i", `file:${path}`]);
  } finally {
    await rm(path, { force: true });
  }
}

// Videos and sounds out of files. The reader is chosen by the file's first bytes and never guessed by the
// decoder: playlists and lists of files, which name other files, cannot be reached.
import { open } from "node:fs/promises";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { isRecord } from "../graph/graph.ts";
import { fromBytes } from "../pictures/eight-bits.ts";
import type { Clip, Sound } from "../pictures/picture.ts";
import { bounded, everyFrame, needTool, runTool } from "./ffmpeg.ts";

type Context = Pick<NodeContext, "image" | "floats" | "expect" | "breathe" | "pixelsMax">;

const unreadable = "The file is damaged: it could not be read.";

export async function mediaFormat(path: string): Promise<string | null> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return formatOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

export function formatOf(start: Buffer): string | null {
  const text = start.toString("latin1");
  if (/^[\s\S]{4}ftyp/.test(text)) return "mov";
  if (text.startsWith("\x1aE\xdf\xa3")) return "matroska";
  if (text.startsWith("fLaC")) return "flac";
  if (text.startsWith("OggS")) return "ogg";
  if (/^RIFF[\s\S]{4}AVI /.test(text)) return "avi";
  if (/^RIFF[\s\S]{4}WAVE/.test(text)) return "wav";
  if (text.startsWith("ID3") || /^\xff[\xe2-\xef\xf2-\xf7\xfa-\xff]/.test(text)) return "mp3";
  return /^\xff[\xf1\xf9]/.test(text) ? "aac" : null;
}

interface Streams {
  readonly video: {
    readonly codec: string;
    readonly pixelFormat: string;
    readonly width: number;
    readonly height: number;
    readonly framesPerSecond: number;
  } | null;
  readonly audio: { readonly codec: string; readonly channels: number; readonly sampleRate: number } | null;
}

export function inputWords(path: string, format: string): string[] {
  return ["-protocol_whitelist", "file", "-f", format, "-i", `file:${path}`];
}

async function probe(path: string, format: string, what: string): Promise<Streams> {
  const entries = "stream=codec_type,codec_name,pix_fmt,width,height,avg_frame_rate,r_frame_rate,channels,sample_rate";
  const answer = await runTool({
    path: needTool("ffprobe", what),
    words: ["-v", "error", "-show_entries", entries, "-of", "json", ...inputWords(path, format)],
    onBytes: (total) => {
      if (total > 1024 ** 2) throw new NodeError(unreadable);
    },
    failure: unreadable,
  });
  const parsed: unknown = JSON.parse(answer.toString("utf8"));
  const listed = isRecord(parsed) && Array.isArray(parsed["streams"]) ? parsed["streams"].filter(isRecord) : [];
  const first = (type: string) => listed.find((stream) => stream["codec_type"] === type);
  return { video: videoOf(first("video")), audio: audioOf(first("audio")) };
}

function videoOf(stream: Readonly<Record<string, unknown>> | undefined): Streams["video"] {
  if (!stream) return null;
  const [width, height] = [Number(stream["width"]), Number(stream["height"])];
  const framesPerSecond = rateOf(stream["avg_frame_rate"]) || rateOf(stream["r_frame_rate"]) || 1;
  const pixelFormat = String(stream["pix_fmt"] ?? "");
  return width > 0 && height > 0 ? { codec: codecOf(stream), pixelFormat, width, height, framesPerSecond } : null;
}

// "yuv420p10le", "gray16be", "rgb48le": bits of each colour, 8 where nothing is said.
export function bitDepthOf(pixelFormat: string): number {
  const packed = /^(?:rgb|bgr)(?:a?)(48|64)/.exec(pixelFormat)?.[1];
  if (packed !== undefined) return 16;
  return Number(/(?:p|gray|p0?)(9|1[0246])(?:le|be)$/.exec(pixelFormat)?.[1] ?? 8);
}

const codecOf = (stream: Readonly<Record<string, unknown>> | undefined) => String(stream?.["codec_name"] ?? "");

function rateOf(text: unknown): number {
  const [count = 0, per = 1] = String(text).split("/").map(Number);
  return per > 0 && count > 0 ? count / per : 0;
}

function audioOf(stream: Readonly<Record<string, unknown>> | undefined): Streams["audio"] {
  const [channels, sampleRate] = [Number(stream?.["channels"]), Number(stream?.["sample_rate"])];
  return channels > 0 && channels <= 16 && sampleRate > 0 ? { codec: codecOf(stream), channels, sampleRate } : null;
}

export async function readVideo(path: string, context: Context): Promise<Clip> {
  const format = await mediaFormat(path);
  if (format === null) throw new NodeError("The file is not a video that can be read.");
  const { video, audio } = await probe(path, format, "Reading a video");
  if (!video) throw new NodeError("The file holds no video.");
  const { width, height, framesPerSecond } = video;
  if (width * height > context.pixelsMax) throw new NodeError(`The video is too large: ${width} × ${height}.`);
  await context.breathe(0, 1);
  const tool = needTool("ffmpeg", "Reading a video");
  const bytes = await runTool({
    path: tool,
    words: [
      ...[...bounded, "-noautorotate", ...inputWords(path, format), "-map", "0:v:0"],
      ...(await everyFrame(tool)),
      ...["-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"],
    ],
    // Bytes twice while they are joined, then bytes and floats.
    onBytes: (total) => context.expect(total * 5, `A video of ${width} × ${height}`),
    failure: unreadable,
  });
  const batch = Math.floor(bytes.length / (width * height * 3));
  if (batch === 0) throw new NodeError("The video has no frames.");
  const frames = context.image(batch, height, width, 3);
  fromBytes(bytes, frames.data);
  const sound = audio && (await readSamples(path, format, audio, context));
  const file = { path, format, videoCodec: video.codec, audioCodec: audio?.codec ?? null };
  return { kind: "video", frames, framesPerSecond, sound, bitDepth: bitDepthOf(video.pixelFormat), file };
}

export async function readSound(path: string, context: Context): Promise<Sound> {
  const format = await mediaFormat(path);
  if (format === null) throw new NodeError("The file is not a sound that can be read.");
  const { audio } = await probe(path, format, "Reading any sound but WAV");
  if (!audio) throw new NodeError("The file holds no sound.");
  return readSamples(path, format, audio, context);
}

async function readSamples(
  path: string,
  format: string,
  { channels, sampleRate }: NonNullable<Streams["audio"]>,
  context: Context,
): Promise<Sound> {
  const bytes = await runTool({
    path: needTool("ffmpeg", "Reading a sound"),
    words: [...bounded, ...inputWords(path, format), "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le", "pipe:1"],
    onBytes: (total) => context.expect(total * 2, "A sound"),
    failure: unreadable,
  });
  const length = Math.floor(bytes.length / (channels * 4));
  const data = context.floats(channels * length, "A sound");
  for (let at = 0; at < length; at++) {
    for (let channel = 0; channel < channels; channel++) {
      data[channel * length + at] = bytes.readFloatLE((at * channels + channel) * 4);
    }
  }
  return { kind: "audio", batch: 1, channels, length, sampleRate, data };
}

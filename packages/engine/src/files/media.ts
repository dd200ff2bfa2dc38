// Decodes videos and sounds from files. A film is decoded when a node asks for its frames or its sound, not when it is read.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { fromBytes } from "../pictures/colours/eight-bits.ts";
import type { Clip, ClipFile, DecodedClip, FilmFile, Picture, Sound } from "../pictures/picture.ts";
import { bounded, everyFrame, needTool, runTool } from "./ffmpeg.ts";
import { coloursOf, isMixedHere } from "./film-colours.ts";
import {
  type AudioStream,
  bitDepthOf,
  inputWords,
  mediaFormat,
  probeMedia,
  unreadable,
  type VideoStream,
} from "./probe-media.ts";
import { chromaWords, readFrames } from "./read-frames.ts";

type Context = Pick<NodeContext, "image" | "mask" | "floats" | "expect" | "breathe" | "pixelsMax" | "profile">;

// The film in a file, not decoded. `isKept`: whether a later job may reuse it, when the file is gone.
export async function readFilm(path: string, context: Context, isKept: boolean): Promise<FilmFile> {
  const { format, video, audio } = await probedFilm(path);
  const isTurned = context.profile === "0.30" && video.turns % 2 !== 0;
  const { width, height } = isTurned ? { width: video.height, height: video.width } : video;
  return {
    kind: "video",
    frames: null,
    size: { width, height },
    framesPerSecond: video.framesPerSecond,
    bitDepth: bitDepthOf(video.pixelFormat),
    file: { path, format, videoCodec: video.codec, audioCodec: audio?.codec ?? null },
    contents: isKept ? await contentsOf(path, context) : null,
  };
}

// Its file on this machine, written again if the job that made it has ended.
export async function fileOf(clip: Clip, context: Pick<NodeContext, "scratch">): Promise<ClipFile | null> {
  const { file } = clip;
  if (!file) return null;
  if (existsSync(file.path)) return file;
  if (clip.frames !== null || clip.contents === null) return null;
  const path = context.scratch();
  await writeFile(path, clip.contents, { mode: 0o600 });
  return { ...file, path };
}

export async function decodedClip(clip: Clip, context: Context & Pick<NodeContext, "scratch">): Promise<DecodedClip> {
  if (clip.frames !== null) return clip;
  const file = await fileOf(clip, context);
  if (file === null) throw new NodeError("The video's file is gone.");
  return readVideo(file.path, context);
}

async function contentsOf(path: string, context: Context): Promise<Uint8Array> {
  const bytes = await readFile(path);
  const memory = context.floats(Math.ceil(bytes.byteLength / 4), "A video file");
  const contents = new Uint8Array(memory.buffer, memory.byteOffset, bytes.byteLength);
  contents.set(bytes);
  return contents;
}

async function probedFilm(path: string) {
  const format = await mediaFormat(path);
  if (format === null) throw new NodeError("The file is not a video in a supported format.");
  const { video, audio } = await probeMedia(path, format, "Reading a video");
  if (!video) throw new NodeError("The file contains no video.");
  return { format, video, audio };
}

export async function readVideo(path: string, context: Context): Promise<DecodedClip> {
  const { format, video, audio } = await probedFilm(path);
  const { framesPerSecond } = video;
  const frames =
    context.profile === "0.30"
      ? (await readFrames({ path, format, stream: video, turns: video.turns }, context)).picture
      : await framesInBytes(path, format, video, context);
  const sound = audio && (await readSamples(path, format, audio, context));
  const file = { path, format, videoCodec: video.codec, audioCodec: audio?.codec ?? null };
  return { kind: "video", frames, framesPerSecond, sound, bitDepth: bitDepthOf(video.pixelFormat), file };
}

async function framesInBytes(path: string, format: string, video: VideoStream, context: Context): Promise<Picture> {
  const { width, height } = video;
  if (width * height > context.pixelsMax) throw new NodeError(`The video is too large: ${width} × ${height}.`);
  await context.breathe(0, 1);
  const tool = needTool("ffmpeg", "Reading a video");
  const isMixed = isMixedHere(video);
  const filters = isMixed ? "null" : `scale=flags=bilinear${chromaWords(video)},format=rgb24`;
  const raw = await runTool({
    path: tool,
    words: [
      ...[...bounded, "-noautorotate", ...inputWords(path, format), "-map", "0:v:0"],
      ...(await everyFrame(tool)),
      ...["-vf", filters, "-f", "rawvideo", "pipe:1"],
    ],
    // The bytes twice while they are joined, then bytes and floats.
    onBytes: (total) => context.expect(total * (isMixed ? 9 : 5), `A video of ${width} × ${height}`),
    failure: unreadable,
  });
  const bytes = isMixed ? coloursOf(raw, video) : raw;
  const batch = Math.floor(bytes.length / (width * height * 3));
  if (batch === 0) throw new NodeError("The video has no frames.");
  const frames = context.image(batch, height, width, 3);
  fromBytes(bytes, frames.data);
  return frames;
}

export async function readSound(path: string, context: Context): Promise<Sound> {
  const format = await mediaFormat(path);
  if (format === null) throw new NodeError("The file is not a sound in a supported format.");
  const { audio } = await probeMedia(path, format, "Reading a sound other than WAV");
  if (!audio) throw new NodeError("The file contains no sound.");
  return readSamples(path, format, audio, context);
}

async function readSamples(
  path: string,
  format: string,
  { codec, channels, sampleRate, seconds }: AudioStream,
  context: Context,
): Promise<Sound> {
  const bytes = await runTool({
    path: needTool("ffmpeg", "Reading a sound"),
    words: [...bounded, ...inputWords(path, format), "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le", "pipe:1"],
    onBytes: (total) => context.expect(total * 2, "A sound"),
    failure: unreadable,
  });
  const all = Math.floor(bytes.length / (channels * 4));
  // Newer versions of the application trim the padding that the codec added to its last block; Opus declares it itself.
  const isTrimmed = context.profile === "0.30" && codec !== "opus" && format === "mov" && seconds !== null;
  const length = isTrimmed ? Math.min(all, Math.round(seconds * sampleRate)) : all;
  const data = context.floats(channels * length, "A sound");
  for (let at = 0; at < length; at++) {
    for (let channel = 0; channel < channels; channel++) {
      data[channel * length + at] = bytes.readFloatLE((at * channels + channel) * 4);
    }
  }
  return { kind: "audio", batch: 1, channels, length, sampleRate, data };
}

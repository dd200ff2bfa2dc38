// Decodes videos and sounds from files.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { fromBytes } from "../pictures/colours/eight-bits.ts";
import type { Clip, Picture, Sound } from "../pictures/picture.ts";
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

export async function readVideo(path: string, context: Context): Promise<Clip> {
  const format = await mediaFormat(path);
  if (format === null) throw new NodeError("The file is not a video in a supported format.");
  const { video, audio } = await probeMedia(path, format, "Reading a video");
  if (!video) throw new NodeError("The file contains no video.");
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

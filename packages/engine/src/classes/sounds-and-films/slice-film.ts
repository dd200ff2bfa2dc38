// A part of a film by time. Its frames are those that begin in that time, and its sound is cut at the same two points.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { decodedClip } from "../../files/media.ts";
import { flag, float, output, video } from "../../graph/describe-inputs.ts";
import type { DecodedClip, Sound } from "../../pictures/picture.ts";

// Times in a file are whole ticks; this is finer than any.
const tick = 1e-6;

export const videoSlice: NodeRunner = {
  description: {
    name: "Video Slice",
    displayName: "Trim Video",
    category: "video",
    description:
      "A part of a video. A start below 0 counts from the end; a duration of 0 goes to the end. Needs ffmpeg.",
    inputs: [
      video("video"),
      float("start_time", 0, -1e5, 1e5, 0.001),
      float("duration", 0, 0, Number.MAX_SAFE_INTEGER, 0.001),
      flag("strict_duration", false),
    ],
    outputs: [output("VIDEO", "VIDEO")],
  },
  weight: 6,
  async run(inputs, context) {
    const clip = await decodedClip(inputs.clip("video"), context);
    const [start, duration] = [inputs.float("start_time"), inputs.float("duration")];
    const seconds = clip.frames.batch / clip.framesPerSecond;
    const from = start < 0 ? Math.max(0, seconds + start) : start;
    if (inputs.flag("strict_duration") && seconds - from < duration - tick) {
      throw new NodeError(`The video lasts ${seconds} s: from ${start} s on, ${duration} s are not possible.`);
    }
    return [sliced(clip, from, duration === 0 ? Infinity : from + duration)];
  },
};

function sliced(clip: DecodedClip, from: number, until: number): DecodedClip {
  const { frames, framesPerSecond, sound, bitDepth } = clip;
  const first = Math.max(0, Math.ceil((from - tick) * framesPerSecond));
  const end = Math.min(frames.batch, Math.ceil((until - tick) * framesPerSecond));
  if (end <= first) throw new NodeError(`The video has no frame from ${from} s on.`);
  const size = frames.width * frames.height * frames.channels;
  return {
    kind: "video",
    frames: { ...frames, batch: end - first, data: frames.data.subarray(first * size, end * size) },
    framesPerSecond,
    sound: sound && slicedSound(sound, from, until),
    ...(bitDepth === undefined ? {} : { bitDepth }),
  };
}

function slicedSound(sound: Sound, from: number, until: number): Sound | null {
  const { channels, length, sampleRate } = sound;
  const first = Math.trunc(from * sampleRate);
  const count = Math.min(length - first, until === Infinity ? length : Math.trunc((until - from) * sampleRate));
  if (count <= 0) return null;
  const data = new Float32Array(channels * count);
  for (let channel = 0; channel < channels; channel++)
    data.set(sound.data.subarray(channel * length + first, channel * length + first + count), channel * count);
  return { ...sound, batch: 1, length: count, data };
}

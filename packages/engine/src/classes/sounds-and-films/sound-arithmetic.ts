// Sounds cut, joined and mixed. If two have different rates, the slower one is resampled to the faster.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../../execution/node-runner.ts";
import { audio, choice, float, int, output, seedMax } from "../../graph/describe-inputs.ts";
import { roundHalfEven, type Sound } from "../../pictures/picture.ts";
import { soundAtRate } from "../../pictures/resample-sound.ts";
import { joined, narrowed, type Tensor } from "../../pictures/tensor.ts";

const category = "audio";
const outputs = [{ type: "AUDIO", name: "AUDIO" }] as const;
const { fround } = Math;

const tensorOf = ({ batch, channels, length, data }: Sound): Tensor => ({ shape: [batch, channels, length], data });

function soundOf({ shape, data }: Tensor, sampleRate: number): Sound {
  const [batch = 0, channels = 0, length = 0] = shape;
  return { kind: "audio", batch, channels, length, sampleRate, data };
}

export const trimAudioDuration: NodeRunner = {
  description: {
    name: "TrimAudioDuration",
    displayName: "Trim Audio Duration",
    category,
    description: "Cuts a part out of a sound; a negative start counts from the end.",
    inputs: [
      audio("audio"),
      float("start_index", 0, -seedMax, seedMax, 0.01),
      float("duration", 60, 0, Number.MAX_SAFE_INTEGER, 0.01),
    ],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.sound("audio");
    const samples = (name: string) => roundHalfEven(inputs.float(name) * source.sampleRate);
    const wanted = inputs.float("start_index") < 0 ? source.length + samples("start_index") : samples("start_index");
    const start = Math.max(0, Math.min(wanted, source.length - 1));
    const end = Math.max(0, Math.min(start + samples("duration"), source.length));
    if (start >= end) throw new NodeError("The start must be before the end and within the sound.");
    const floats = (count: number) => context.floats(count, "A sound");
    return [soundOf(narrowed(tensorOf(source), 2, start, end - start, floats), source.sampleRate)];
  },
};

export const splitAudioChannels: NodeRunner = {
  description: {
    name: "SplitAudioChannels",
    displayName: "Split Audio Channels",
    category,
    description: "Splits a sound into its left and right channel.",
    inputs: [audio("audio")],
    outputs: [output("AUDIO", "left"), output("AUDIO", "right")],
  },
  run(inputs, context) {
    const source = inputs.sound("audio");
    if (source.channels !== 2) throw new NodeError("The sound must have two channels.");
    const floats = (count: number) => context.floats(count, "A sound");
    return [0, 1].map((channel) => soundOf(narrowed(tensorOf(source), 1, channel, 1, floats), source.sampleRate));
  },
};

function atOneRate(one: Sound, two: Sound, context: NodeContext): [Sound, Sound] {
  const rate = Math.max(one.sampleRate, two.sampleRate);
  const floats = (count: number) => context.floats(count, "A sound");
  return [soundAtRate(one, rate, floats), soundAtRate(two, rate, floats)];
}

function stereo(sound: Sound, context: NodeContext): Sound {
  if (sound.channels !== 1) return sound;
  const both = joined([tensorOf(sound), tensorOf(sound)], 1, (count) => context.floats(count, "A sound"));
  return soundOf(both, sound.sampleRate);
}

export const audioConcat: NodeRunner = {
  description: {
    name: "AudioConcat",
    displayName: "Audio Concat",
    category,
    description: "Joins two sounds, one after the other.",
    inputs: [audio("audio1"), audio("audio2"), choice("direction", ["after", "before"], { default: "after" })],
    outputs,
  },
  run(inputs, context) {
    const given = ["audio1", "audio2"].map((name) => stereo(inputs.sound(name), context));
    const [first, second] = given;
    if (!first || !second) return [];
    if (first.batch !== second.batch || first.channels !== second.channels) {
      throw new NodeError("The sounds have different numbers of channels.");
    }
    const both = atOneRate(first, second, context);
    const order = inputs.choice("direction") === "after" ? both : both.toReversed();
    const whole = joined(order.map(tensorOf), 2, (count) => context.floats(count, "A sound"));
    return [soundOf(whole, both[0].sampleRate)];
  },
};

const methods: Readonly<Record<string, (one: number, two: number) => number>> = {
  add: (one, two) => fround(one + two),
  mean: (one, two) => fround(fround(one + two) / 2),
  subtract: (one, two) => fround(one - two),
  multiply: (one, two) => fround(one * two),
};

export const audioMerge: NodeRunner = {
  description: {
    name: "AudioMerge",
    displayName: "Audio Merge",
    category,
    description: "Mixes two sounds to the length of the first; if the mix would clip, it is made quieter as a whole.",
    inputs: [audio("audio1"), audio("audio2"), choice("merge_method", Object.keys(methods))],
    outputs,
  },
  run(inputs, context) {
    const [one, two] = atOneRate(inputs.sound("audio1"), inputs.sound("audio2"), context);
    const isAlike = (side: "batch" | "channels") => one[side] === two[side] || one[side] === 1 || two[side] === 1;
    if (!isAlike("batch") || !isAlike("channels"))
      throw new NodeError("The sounds have different numbers of channels.");
    const [batch, channels] = [Math.max(one.batch, two.batch), Math.max(one.channels, two.channels)];
    const combine = methods[inputs.choice("merge_method")] ?? fround;
    const data = context.floats(batch * channels * one.length, "A sound");
    const sample = (sound: Sound, track: number, at: number) => {
      const [of, channel] = [Math.floor(track / channels) % sound.batch, (track % channels) % sound.channels];
      return at < sound.length ? (sound.data[(of * sound.channels + channel) * sound.length + at] ?? 0) : 0;
    };
    let loudest = 0;
    for (let track = 0; track < batch * channels; track++) {
      for (let at = 0; at < one.length; at++) {
        const value = combine(sample(one, track, at), sample(two, track, at));
        loudest = Math.max(loudest, Math.abs(value));
        data[track * one.length + at] = value;
      }
    }
    if (loudest > 1) for (let at = 0; at < data.length; at++) data[at] = (data[at] ?? 0) / loudest;
    return [{ ...one, batch, channels, data }];
  },
};

export const audioAdjustVolume: NodeRunner = {
  description: {
    name: "AudioAdjustVolume",
    displayName: "Audio Adjust Volume",
    category,
    description: "Changes the volume by decibels.",
    inputs: [audio("audio"), int("volume", 1, -100, 100)],
    outputs,
  },
  run(inputs, context) {
    const source = inputs.sound("audio");
    const volume = inputs.int("volume");
    if (volume === 0) return [source];
    const gain = fround(10 ** (volume / 20));
    const data = context.floats(source.data.length, "A sound");
    for (let at = 0; at < data.length; at++) data[at] = (source.data[at] ?? 0) * gain;
    return [{ ...source, data }];
  },
};

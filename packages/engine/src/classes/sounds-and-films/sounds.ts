// Sound classes: silence, files in, FLAC files out; and pictures with sound as a video value.
import { readFile } from "node:fs/promises";
import type { NodeContext, NodeRunner } from "../../execution/node-runner.ts";
import { embeddedTexts } from "../../files/embed-graph.ts";
import { outputNames } from "../../files/file-name.ts";
import { encodeFlac } from "../../files/flac.ts";
import { decodedClip, readSound } from "../../files/media.ts";
import { mediaFormat } from "../../files/probe-media.ts";
import { decodeWav } from "../../files/wav.ts";
import { audio, file, float, image, int, output, seedMax, video } from "../../graph/describe-inputs.ts";
import { roundHalfEven, type Sound } from "../../pictures/picture.ts";
import { filenamePrefix, sink } from "../image-sinks.ts";

const category = "audio";
const outputs = [{ type: "AUDIO", name: "AUDIO" }] as const;

export const emptyAudio: NodeRunner = {
  description: {
    name: "EmptyAudio",
    displayName: "Empty Audio",
    category,
    description: "Silence.",
    inputs: [
      float("duration", 60, 0, seedMax, 0.01, { tooltip: "Duration of the empty audio clip in seconds" }),
      int("sample_rate", 44100, 1, 192000, { tooltip: "Sample rate of the empty audio clip." }),
      int("channels", 2, 1, 2, { tooltip: "Number of audio channels (1 for mono, 2 for stereo)." }),
    ],
    outputs,
  },
  run(inputs, context) {
    const sampleRate = inputs.int("sample_rate");
    const channels = inputs.int("channels");
    const length = roundHalfEven(inputs.float("duration") * sampleRate);
    const data = context.floats(channels * length, "A sound");
    return [{ kind: "audio", batch: 1, channels, length, sampleRate, data }];
  },
};

export const loadAudio: NodeRunner = {
  description: {
    name: "LoadAudio",
    displayName: "Load Audio",
    category,
    description: "Loads a sound. WAV needs nothing else; MP3, FLAC, OGG, M4A and WEBM need ffmpeg.",
    inputs: [file("audio", { upload: "audio" })],
    outputs,
  },
  files: ["audio"],
  async run(inputs, context) {
    const path = await context.file(inputs.file("audio"));
    const format = await mediaFormat(path);
    if (format !== "wav" && format !== null) return [await readSound(path, context)];
    const bytes = await readFile(path);
    return [decodeWav(bytes, (count) => context.floats(count, "A sound"))];
  },
};

async function saveSounds(
  sound: Sound,
  prefix: string,
  folder: "output" | "temp",
  context: NodeContext,
): Promise<void> {
  const nextName = outputNames(prefix, context, {}, folder);
  const texts = embeddedTexts(context);
  for (let index = 0; index < sound.batch; index++) {
    await context.breathe(index, sound.batch);
    context.expect(sound.channels * sound.length * 4, "A sound file");
    const bytes = encodeFlac(sound, index, texts);
    await context.save({ ...nextName("flac", index), kind: "audio", contentType: "audio/flac", bytes });
  }
}

export const saveAudio: NodeRunner = {
  description: {
    name: "SaveAudio",
    displayName: "Save Audio (FLAC)",
    category,
    description: "Saves sounds as FLAC files with the graph embedded.",
    inputs: [audio("audio"), filenamePrefix("audio/Atelier")],
    ...sink,
  },
  weight: 3,
  async run(inputs, context) {
    await saveSounds(inputs.sound("audio"), inputs.text("filename_prefix"), "output", context);
    return [];
  },
};

export const previewAudio: NodeRunner = {
  description: {
    name: "PreviewAudio",
    displayName: "Preview Audio",
    category,
    description: "Plays sounds without keeping them as results.",
    inputs: [audio("audio")],
    ...sink,
  },
  weight: 3,
  async run(inputs, context) {
    await saveSounds(inputs.sound("audio"), `Atelier_temp_${context.nodeId.replace(/\W/g, "")}`, "temp", context);
    return [];
  },
};

export const createVideo: NodeRunner = {
  description: {
    name: "CreateVideo",
    displayName: "Create Video",
    category: "image/video",
    description: "Create a video from images.",
    inputs: [
      image("images", { tooltip: "The images to create a video from." }),
      float("fps", 30, 1, 120, 1),
      audio("audio", { optional: true, tooltip: "The audio to add to the video." }),
    ],
    outputs: [{ type: "VIDEO", name: "VIDEO" }],
    laterInputs: [{ name: "bit_depth", harmless: 8 }],
  },
  run(inputs) {
    const frames = inputs.image("images");
    return [{ kind: "video", frames, framesPerSecond: inputs.float("fps"), sound: inputs.optional("audio", "audio") }];
  },
};

// The ten bits are those of a saved video; the frames here are floats.
export const newerCreateVideo: NodeRunner = {
  ...createVideo,
  description: {
    ...createVideo.description,
    inputs: [
      ...createVideo.description.inputs,
      int("bit_depth", 8, 8, 10, { step: 2, optional: true, display: "number" }),
    ],
    laterInputs: [],
  },
  run(inputs) {
    const frames = inputs.image("images");
    const [framesPerSecond, bitDepth] = [inputs.float("fps"), inputs.int("bit_depth")];
    return [{ kind: "video", frames, framesPerSecond, sound: inputs.optional("audio", "audio"), bitDepth }];
  },
};

export const getVideoComponents: NodeRunner = {
  description: {
    name: "GetVideoComponents",
    displayName: "Get Video Components",
    category: "image/video",
    description: "Extracts all components from a video: frames, audio, and framerate.",
    inputs: [video("video")],
    outputs: [output("IMAGE", "images"), output("AUDIO", "audio"), output("FLOAT", "fps")],
  },
  async run(inputs, context) {
    const { frames, sound, framesPerSecond } = await decodedClip(inputs.clip("video"), context);
    const data = context.floats(0, "A sound");
    const silence: Sound = { kind: "audio", batch: 1, channels: 1, length: 0, sampleRate: 44100, data };
    return [frames, sound ?? silence, framesPerSecond];
  },
};

export const newerGetVideoComponents: NodeRunner = {
  ...getVideoComponents,
  description: {
    ...getVideoComponents.description,
    description: "Extracts all components from a video: frames, audio, framerate, and bit depth.",
    outputs: [...getVideoComponents.description.outputs, output("INT", "bit_depth")],
  },
  run: async (inputs, context) => [
    ...(await getVideoComponents.run(inputs, context)),
    inputs.clip("video").bitDepth ?? 8,
  ],
};

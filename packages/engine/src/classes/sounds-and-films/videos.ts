// Videos and lossy sound. These classes need ffmpeg on the machine and report it if it is missing.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../../execution/node-runner.ts";
import { embeddedTexts } from "../../files/embed-graph.ts";
import { copyMedia, type EncodeOptions, encodeMedia, samplesOf } from "../../files/encode-media.ts";
import { outputNames } from "../../files/file-name.ts";
import { decodedClip, fileOf, readFilm } from "../../files/media.ts";
import { inputConfig } from "../../graph/describe-classes.ts";
import { audio, choice, file, float, image, video } from "../../graph/describe-inputs.ts";
import {
  type Clip,
  type ClipFile,
  type Picture,
  roundHalfEven,
  type Size,
  type Sound,
} from "../../pictures/picture.ts";
import { soundAtRate } from "../../pictures/resample-sound.ts";
import { filenamePrefix, sink } from "../image-sinks.ts";

const category = "image/video";

export const loadVideo: NodeRunner = {
  description: {
    name: "LoadVideo",
    displayName: "Load Video",
    category,
    description: "Loads a video. Needs ffmpeg.",
    inputs: [file("file", { upload: "video" })],
    outputs: [{ type: "VIDEO", name: "VIDEO" }],
  },
  files: ["file"],
  weight: 6,
  // The value refers to the file, so that saving can copy it; the file exists only for this job.
  runsAlways: true,
  run: async (inputs, context) => [await readFilm(await context.file(inputs.file("file")), context, false)],
};

const contentTypes = { mp4: "video/mp4", webm: "video/webm", mp3: "audio/mpeg", opus: "audio/ogg" } as const;

interface Saving {
  readonly prefix: string;
  readonly extension: keyof typeof contentTypes;
  readonly size?: Size;
}

async function save(options: Omit<EncodeOptions, "texts">, saving: Saving, context: NodeContext): Promise<void> {
  const texts = embeddedTexts(context);
  await keep(await encodeMedia({ ...options, texts }, context), saving, context);
}

async function keep(bytes: Buffer, saving: Saving, context: NodeContext): Promise<void> {
  const isSound = saving.extension === "mp3" || saving.extension === "opus";
  await context.save({
    ...outputNames(saving.prefix, context, saving.size)(saving.extension),
    kind: isSound ? "audio" : "video",
    contentType: contentTypes[saving.extension],
    bytes,
    ...(isSound ? {} : { animated: true }),
  });
}

// Colours are stored at half the resolution, so both sides must be even; the application refuses others too.
function checkEven({ width, height }: Picture): void {
  if (width % 2 === 0 && height % 2 === 0) return;
  throw new NodeError(`A video of ${width} × ${height} cannot be saved: both sides must be even.`);
}

const mp4 = ["-movflags", "use_metadata_tags", "-f", "mp4"];

// Codecs that an MP4 file may contain.
const copiedVideo = new Set(["h264", "hevc", "vp9", "av1", "mpeg4"]);
const copiedAudio = new Set(["aac", "mp3", "ac3", "eac3", "alac", "flac", "opus"]);

// The application copies a file's streams unless another container or codec was asked for.
function copyOf(file: ClipFile | null, format: string, codec: string): ClipFile | null {
  if (!file || !copiedVideo.has(file.videoCodec)) return null;
  if (file.audioCodec !== null && !copiedAudio.has(file.audioCodec)) return null;
  const isSame = (format === "auto" || file.format === "mov") && (codec === "auto" || codec === file.videoCodec);
  return isSame ? file : null;
}

interface VideoSaving {
  readonly format: string;
  readonly codec: string;
  // If absent, the encoder's default, and streams may be copied.
  readonly quality?: number;
}

// Chroma is downsampled the way the application's library does it, and the encoder works on slices: as many as this machine has
// cores, there as here.
const encoderWords = ["-sws_flags", "bilinear", "-thread_type", "slice"] as const;

async function saveClip(clip: Clip, prefix: string, wanted: VideoSaving, context: NodeContext): Promise<void> {
  const saving = { prefix, extension: "mp4", size: clip.frames ?? clip.size } as const;
  const what = "SaveVideo";
  if (clip.frames) await context.preview(clip.frames);
  const isCopied = wanted.quality === undefined;
  const file = isCopied ? copyOf(await fileOf(clip, context), wanted.format, wanted.codec) : null;
  if (file) {
    const texts = embeddedTexts(context);
    await keep(await copyMedia({ what, file, words: mp4, texts }, context), saving, context);
    return;
  }
  const { frames, framesPerSecond, sound } = await decodedClip(clip, context);
  if (!clip.frames) await context.preview(frames);
  checkEven(frames);
  const isDeep = (clip.bitDepth ?? 8) >= 10;
  const words = [
    ...encoderWords,
    ...["-c:v", "libx264", "-pix_fmt", isDeep ? "yuv420p10le" : "yuv420p"],
    ...(wanted.quality === undefined ? [] : ["-crf", String(wanted.quality)]),
    ...(sound ? ["-c:a", "aac"] : []),
    ...mp4,
  ];
  const samplesMax = sound ? samplesOf(frames.batch, framesPerSecond, sound.sampleRate) : 0;
  const pictures = { pictures: frames, framesPerSecond, isDeep };
  await save({ what, frames: pictures, sound, samplesMax, words }, saving, context);
}

const formats = choice("format", ["auto", "mp4"], { default: "auto" });

export const saveVideo: NodeRunner = {
  description: {
    name: "SaveVideo",
    displayName: "Save Video",
    category,
    description:
      "Saves a video as MP4 with the graph embedded: unchanged where possible, else as H.264 and AAC. Needs ffmpeg.",
    inputs: [
      video("video"),
      filenamePrefix("video/Atelier"),
      formats,
      choice("codec", ["auto", "h264"], { default: "auto" }),
    ],
    ...sink,
    laterInputs: [{ name: "codec.encoding", harmless: "auto" }],
  },
  weight: 10,
  async run(inputs, context) {
    const wanted = { format: inputs.choice("format"), codec: inputs.choice("codec") };
    await saveClip(inputs.clip("video"), inputs.text("filename_prefix"), wanted, context);
    return [];
  },
};

const encodings = ["auto", "re-encode"] as const;
const quality = float("crf", 23, 0, 51, 1);
const encodingOptions = encodings.map((key) => ({
  key,
  inputs: { required: key === "auto" ? {} : { crf: inputConfig(quality) } },
}));
const codecOptions = [
  { key: "auto", inputs: { required: {} } },
  {
    key: "h264",
    inputs: {
      required: {},
      optional: { encoding: ["COMFY_DYNAMICCOMBO_V3", { display_name: "encoding mode", options: encodingOptions }] },
    },
  },
];

// The newer version can request encoding, with a quality.
export const newerSaveVideo: NodeRunner = {
  ...saveVideo,
  description: {
    ...saveVideo.description,
    inputs: [
      video("video"),
      filenamePrefix("video/Atelier"),
      formats,
      choice("codec", ["auto", "h264"]),
      choice("codec.encoding", encodings, {
        optional: true,
        onlyFor: { input: "codec", choices: ["h264"], mayBeAbsent: true },
      }),
      {
        ...quality,
        name: "codec.encoding.crf",
        optional: true,
        onlyFor: { input: "codec.encoding", choices: ["re-encode"] },
      },
    ],
    shown: {
      required: {
        video: inputConfig(video("video")),
        filename_prefix: inputConfig(filenamePrefix("video/Atelier")),
        format: inputConfig(formats),
        codec: ["COMFY_DYNAMICCOMBO_V3", { options: codecOptions }],
      },
    },
    laterInputs: [],
  },
  async run(inputs, context) {
    const codec = inputs.choice("codec");
    const isAsked = codec === "h264" && inputs.has("codec.encoding") && inputs.choice("codec.encoding") === "re-encode";
    const wanted = {
      format: inputs.choice("format"),
      codec,
      ...(isAsked ? { quality: inputs.float("codec.encoding.crf") } : {}),
    };
    await saveClip(inputs.clip("video"), inputs.text("filename_prefix"), wanted, context);
    return [];
  },
};

const webmEncoders: Readonly<Record<string, readonly string[]>> = {
  vp9: ["-c:v", "libvpx-vp9"],
  av1: ["-c:v", "libsvtav1", "-preset", "6"],
  // Older versions of the other encoder need even sides.
  "av1 odd": ["-c:v", "libaom-av1", "-cpu-used", "6"],
};

export const saveWebm: NodeRunner = {
  description: {
    name: "SaveWEBM",
    category,
    description: "Saves a batch as WEBM with the graph embedded. Needs ffmpeg.",
    inputs: [
      image("images"),
      filenamePrefix("Atelier"),
      choice("codec", ["vp9", "av1"]),
      float("fps", 24, 0.01, 1000, 0.01),
      float("crf", 32, 0, 63, 1, { tooltip: "Higher means lower quality and a smaller file." }),
    ],
    ...sink,
    isExperimental: true,
  },
  weight: 10,
  async run(inputs, context) {
    const pictures = inputs.image("images");
    await context.preview(pictures);
    const codec = inputs.choice("codec");
    // Newer versions of the application keep transparency if the codec supports it.
    const isClear = context.profile === "0.30" && pictures.channels === 4 && codec === "vp9";
    const format = isClear ? "yuva420p" : codec === "av1" ? "yuv420p10le" : "yuv420p";
    const quality = ["-pix_fmt", format, "-crf", String(roundHalfEven(inputs.float("crf"))), "-b:v", "0"];
    const isOdd = pictures.width % 2 === 1 || pictures.height % 2 === 1;
    const encoder = webmEncoders[isOdd && codec === "av1" ? "av1 odd" : codec] ?? [];
    const words = ["-sws_flags", "bilinear", ...encoder, ...quality, "-f", "webm"];
    const frames = { pictures, framesPerSecond: inputs.float("fps") };
    const saving = { prefix: inputs.text("filename_prefix"), extension: "webm", size: pictures } as const;
    await save({ what: "SaveWEBM", frames, sound: null, words }, saving, context);
    return [];
  },
};

const mp3Qualities: Readonly<Record<string, readonly string[]>> = {
  V0: ["-q:a", "0"],
  "128k": ["-b:a", "128k"],
  "320k": ["-b:a", "320k"],
};

export const saveAudioMp3: NodeRunner = {
  description: {
    name: "SaveAudioMP3",
    displayName: "Save Audio (MP3)",
    category: "audio",
    description: "Saves sounds as MP3 files with the graph embedded. Needs ffmpeg.",
    inputs: [
      audio("audio"),
      filenamePrefix("audio/Atelier"),
      choice("quality", Object.keys(mp3Qualities), { default: "V0" }),
    ],
    ...sink,
  },
  weight: 4,
  async run(inputs, context) {
    const sounds = inputs.sound("audio");
    const quality = mp3Qualities[inputs.choice("quality")] ?? [];
    const words = ["-c:a", "libmp3lame", ...quality, "-f", "mp3"];
    const saving = { prefix: inputs.text("filename_prefix"), extension: "mp3" } as const;
    await saveEach(sounds, { what: "SaveAudioMP3", words }, saving, context);
    return [];
  },
};

// The codec's rates; a sound with any other rate is resampled to the next higher one.
const opusRates = [8000, 12000, 16000, 24000, 48000] as const;

export const saveAudioOpus: NodeRunner = {
  description: {
    name: "SaveAudioOpus",
    displayName: "Save Audio (Opus)",
    category: "audio",
    description: "Saves sounds as Opus files with the graph embedded. Needs ffmpeg.",
    inputs: [
      audio("audio"),
      filenamePrefix("audio/Atelier"),
      choice("quality", ["64k", "96k", "128k", "192k", "320k"], { default: "128k" }),
    ],
    ...sink,
  },
  weight: 4,
  async run(inputs, context) {
    const given = inputs.sound("audio");
    const rate = opusRates.find((known) => known >= given.sampleRate) ?? 48000;
    const sounds = soundAtRate(given, rate, (count) => context.floats(count, "A sound"));
    const words = ["-c:a", "libopus", "-b:a", inputs.choice("quality"), "-f", "opus"];
    const saving = { prefix: inputs.text("filename_prefix"), extension: "opus" } as const;
    await saveEach(sounds, { what: "SaveAudioOpus", words }, saving, context);
    return [];
  },
};

// Each sound of a batch becomes a separate file.
async function saveEach(
  sounds: Sound,
  options: Pick<EncodeOptions, "what" | "words">,
  saving: Saving,
  context: NodeContext,
): Promise<void> {
  const size = sounds.channels * sounds.length;
  for (let index = 0; index < sounds.batch; index++) {
    const sound = { ...sounds, batch: 1, data: sounds.data.subarray(index * size, (index + 1) * size) };
    await save({ ...options, frames: null, sound }, saving, context);
  }
}

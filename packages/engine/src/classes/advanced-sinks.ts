// Classes that only the application's newer version has: files in a chosen format, two pictures to compare, texts as files, and a
// size from proportions. Formats that we cannot write are refused with the graph, never replaced by another.
import { Inputs } from "../execution/inputs.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { outputNames, plainName } from "../files/file-name.ts";
import { inputConfig } from "../graph/describe-classes.ts";
import { audio, choice, float, image, int, output, text } from "../graph/describe-inputs.ts";
import { roundHalfEven } from "../pictures/picture.ts";
import { filenamePrefix, savePictures, sink } from "./image-sinks.ts";
import { saveAudio } from "./sounds-and-films/sounds.ts";
import { saveAudioMp3, saveAudioOpus } from "./sounds-and-films/videos.ts";

const depths = { png: ["8-bit", "16-bit"], exr: ["32-bit float"] } as const;
const spaces = { png: ["sRGB"], exr: ["sRGB", "HDR", "linear"] } as const;
const shownFormats = (["png", "exr"] as const).map((key) => ({
  key,
  inputs: {
    required: {
      bit_depth: ["COMBO", { default: depths[key][0], options: depths[key], advanced: true }],
      input_color_space: ["COMBO", { default: "sRGB", options: spaces[key], advanced: true }],
    },
  },
}));

export const saveImageAdvanced: NodeRunner = {
  description: {
    name: "SaveImageAdvanced",
    displayName: "Save Image (Advanced)",
    category: "image",
    description: "Saves pictures as PNG files of 8 bits with the graph embedded. 16 bits and EXR are refused.",
    inputs: [
      image("images"),
      filenamePrefix("Atelier"),
      choice("format", ["png"]),
      choice("format.bit_depth", ["8-bit"], {
        default: "8-bit",
        optional: true,
        onlyFor: { input: "format", choices: ["png"], mayBeAbsent: true },
      }),
    ],
    ...sink,
    outputs: [output("IMAGE", "images")],
    shown: {
      required: {
        images: ["IMAGE", {}],
        filename_prefix: inputConfig(filenamePrefix("Atelier")),
        format: ["COMFY_DYNAMICCOMBO_V3", { options: shownFormats }],
      },
    },
  },
  weight: 4,
  async run(inputs, context) {
    const pictures = inputs.image("images");
    await context.preview(pictures);
    const options = { prefix: inputs.text("filename_prefix"), folder: "output", named: plainName } as const;
    await savePictures(pictures, options, context);
    return [pictures];
  },
};

export const imageCompare: NodeRunner = {
  description: {
    name: "ImageCompare",
    displayName: "Compare Images",
    category: "image",
    description: "Shows two pictures beside each other without keeping them as results.",
    inputs: [image("image_a", { optional: true }), image("image_b", { optional: true })],
    ...sink,
    isExperimental: true,
    shown: {
      required: { compare_view: ["IMAGECOMPARE", { socketless: true }] },
      optional: { image_a: ["IMAGE", {}], image_b: ["IMAGE", {}] },
    },
  },
  weight: 3,
  async run(inputs, context) {
    for (const side of ["a", "b"] as const) {
      const pictures = inputs.optional(`image_${side}`, "image");
      if (pictures === null) continue;
      await context.preview(pictures, true);
      const prefix = `Atelier_compare_${side}_${context.nodeId.replace(/\W/g, "")}`;
      await savePictures(pictures, { prefix, folder: "temp" }, context);
    }
    return [];
  },
};

const textTypes = { txt: "text/plain", csv: "text/csv", md: "text/markdown", json: "application/json" } as const;
const textFormats = ["txt", "csv", "md", "json"] as const;

// JSON is indented; a text that is none is saved as it is.
function textFor(format: string, given: string): string {
  if (format !== "json") return given;
  try {
    // A number that a double would change stays as it was written.
    const isExact = !/\d{16,}|\d\.\d*0+\b|\d[eE]/.test(given);
    return isExact ? JSON.stringify(JSON.parse(given), null, 2) : given;
  } catch {
    return given;
  }
}

export const saveText: NodeRunner = {
  description: {
    name: "SaveText",
    displayName: "Save Text",
    category: "text",
    description: "Saves a text as a file.",
    inputs: [
      text("text", "", { isSocket: true }),
      text("filename_prefix", "Atelier"),
      choice("format", textFormats, { default: "txt" }),
    ],
    ...sink,
    outputs: [output("STRING", "text")],
  },
  async run(inputs, context) {
    const [given, format] = [inputs.text("text"), inputs.oneOf("format", textFormats)];
    const bytes = Buffer.from(textFor(format, given));
    const name = plainName(outputNames(inputs.text("filename_prefix"), context)(format));
    await context.save({ ...name, kind: "text", contentType: `${textTypes[format]}; charset=utf-8`, bytes });
    return [given];
  },
};

const proportions: Readonly<Record<string, readonly [number, number]>> = {
  "1:1 (Square)": [1, 1],
  "2:3 (Portrait Photo)": [2, 3],
  "3:2 (Photo)": [3, 2],
  "3:4 (Portrait Standard)": [3, 4],
  "4:3 (Standard)": [4, 3],
  "9:16 (Portrait Widescreen)": [9, 16],
  "16:9 (Widescreen)": [16, 9],
  "21:9 (Ultrawide)": [21, 9],
};

export const resolutionSelector: NodeRunner = {
  description: {
    name: "ResolutionSelector",
    displayName: "Resolution Selector",
    category: "utilities",
    description: "Width and height from proportions and a number of megapixels, as multiples of a number.",
    inputs: [
      choice("aspect_ratio", Object.keys(proportions), { default: "1:1 (Square)" }),
      float("megapixels", 1, 0.1, 16, 0.1),
      int("multiple", 8, 8, 128, { step: 4, advanced: true }),
    ],
    outputs: [output("INT", "width"), output("INT", "height")],
  },
  run(inputs) {
    const [across, down] = proportions[inputs.choice("aspect_ratio")] ?? [1, 1];
    const scale = Math.sqrt((inputs.float("megapixels") * 1024 * 1024) / (across * down));
    const multiple = inputs.int("multiple");
    const side = (share: number) => roundHalfEven((share * scale) / multiple) * multiple;
    return [side(across), side(down)];
  },
};

const soundSinks: Readonly<Record<string, NodeRunner>> = { flac: saveAudio, mp3: saveAudioMp3, opus: saveAudioOpus };
const qualities = { mp3: ["V0", "128k", "320k"], opus: ["64k", "96k", "128k", "192k", "320k"] } as const;
const usualQuality = { mp3: "V0", opus: "128k" } as const;
const soundFormats = (["flac", "mp3", "opus"] as const).map((key) => ({
  key,
  inputs: {
    required: key === "flac" ? {} : { quality: ["COMBO", { default: usualQuality[key], options: qualities[key] }] },
  },
}));

export const saveAudioAdvanced: NodeRunner = {
  description: {
    name: "SaveAudioAdvanced",
    displayName: "Save Audio (Advanced)",
    category: "audio",
    description: "Saves sounds as FLAC, MP3 or Opus files with the graph embedded. MP3 and Opus need ffmpeg.",
    inputs: [
      audio("audio"),
      filenamePrefix("audio/Atelier"),
      choice("format", Object.keys(soundSinks)),
      choice("format.quality", [...new Set([...qualities.mp3, ...qualities.opus])], {
        optional: true,
        onlyFor: { input: "format", choices: ["mp3", "opus"] },
      }),
    ],
    ...sink,
    outputs: [output("AUDIO", "audio")],
    shown: {
      required: {
        audio: ["AUDIO", {}],
        filename_prefix: inputConfig(filenamePrefix("audio/Atelier")),
        format: ["COMFY_DYNAMICCOMBO_V3", { options: soundFormats }],
      },
    },
  },
  weight: 4,
  async run(inputs, context) {
    const sound = inputs.sound("audio");
    const sink = soundSinks[inputs.choice("format")] ?? saveAudio;
    const values = new Map<string, unknown>([
      ["audio", sound],
      ["filename_prefix", inputs.text("filename_prefix")],
      ["quality", inputs.raw("format.quality")],
    ]);
    await sink.run(new Inputs(values, sink.description.inputs), {
      ...context,
      save: (file) => context.save(plainName(file)),
    });
    return [sound];
  },
};

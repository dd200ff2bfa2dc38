// Batches as animations, texts, and pictures that are only displayed.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { embeddedTexts, exactJson } from "../../files/embed-graph.ts";
import { outputNames } from "../../files/file-name.ts";
import { encodePng } from "../../files/png.ts";
import { encodeWebp } from "../../files/webp.ts";
import { anything, choice, flag, float, image, int } from "../../graph/describe-inputs.ts";
import { toBytes } from "../../pictures/colours/eight-bits.ts";
import { type Picture, planes } from "../../pictures/picture.ts";
import { floatText } from "../../python/texts.ts";
import { channelsOf, filenamePrefix, pngOf, sink } from "../image-sinks.ts";

const category = "image/animation";
const framesPerSecond = float("fps", 6, 0.01, 1000, 0.01);
const efforts: Readonly<Record<string, number>> = { default: 4, fastest: 0, slowest: 6 };

export const saveAnimatedWebp: NodeRunner = {
  description: {
    name: "SaveAnimatedWEBP",
    category,
    description: "Saves a batch as one animated WEBP file.",
    inputs: [
      image("images"),
      filenamePrefix("Atelier"),
      framesPerSecond,
      flag("lossless", true),
      int("quality", 80, 0, 100),
      choice("method", Object.keys(efforts)),
    ],
    ...sink,
  },
  weight: 6,
  async run(inputs, context) {
    const pictures = inputs.image("images");
    await context.preview(pictures);
    const nextName = outputNames(inputs.text("filename_prefix"), context, pictures);
    const bytes = await encodeWebp(
      { bytes: toBytes(pictures.data), ...pictures, channels: channelsOf(pictures) },
      {
        milliseconds: Math.trunc(1000 / inputs.float("fps")),
        isLossless: inputs.flag("lossless"),
        quality: inputs.int("quality"),
        effort: efforts[inputs.choice("method")] ?? 4,
        texts: embeddedTexts(context),
      },
    );
    await context.save({ ...nextName("webp"), ...animation(pictures), contentType: "image/webp", bytes });
    return [];
  },
};

export const saveAnimatedPng: NodeRunner = {
  description: {
    name: "SaveAnimatedPNG",
    category,
    description: "Saves a batch as one animated PNG file.",
    inputs: [image("images"), filenamePrefix("Atelier"), framesPerSecond, int("compress_level", 4, 0, 9)],
    ...sink,
  },
  weight: 6,
  async run(inputs, context) {
    const pictures = inputs.image("images");
    await context.preview(pictures);
    const nextName = outputNames(inputs.text("filename_prefix"), context, pictures);
    const frames = planes(pictures).map((plane) => toBytes(plane.data));
    const { width, height } = pictures;
    const bytes = await encodePng(
      { width, height, channels: channelsOf(pictures), frames },
      {
        compressionLevel: inputs.int("compress_level"),
        frameMilliseconds: Math.trunc(1000 / inputs.float("fps")),
        texts: embeddedTexts(context),
      },
    );
    await context.save({ ...nextName("png"), ...animation(pictures), contentType: "image/png", bytes });
    return [];
  },
};

const animation = ({ batch }: Picture) => ({ kind: "image", animated: batch > 1 }) as const;

export const saveImageWebsocket: NodeRunner = {
  description: {
    name: "SaveImageWebsocket",
    category: "api/image",
    description: "Shows every picture as a full-size PNG to clients that watch the job; saves nothing.",
    inputs: [image("images")],
    outputs: [],
    isOutputNode: true,
  },
  weight: 2,
  runsAlways: true,
  async run(inputs, context) {
    const pictures = inputs.image("images");
    const nextName = outputNames("shown", context, pictures, "shown");
    for (const [index, plane] of planes(pictures).entries()) {
      await context.breathe(index, pictures.batch);
      const one = { ...pictures, batch: 1, data: plane.data };
      await context.preview(one, true);
      // A preview may be dropped and is small; this is neither.
      const bytes = await pngOf(one, { compressionLevel: 1 });
      await context.save({ ...nextName("png", index), kind: "image", contentType: "image/png", bytes });
    }
    return [];
  },
};

export const previewAny: NodeRunner = {
  description: {
    name: "PreviewAny",
    displayName: "Preview as Text",
    category: "utils",
    description: "Shows any value as text.",
    inputs: [anything("source")],
    outputs: [],
    isOutputNode: true,
  },
  async run(inputs, context) {
    const bytes = Buffer.from(textOf(inputs.raw("source"), inputs.isFloat("source")));
    if (bytes.length > textBytesMax) throw new NodeError(`source: the text has more than ${textBytesMax} bytes.`);
    const contentType = "text/plain; charset=utf-8";
    await context.save({ ...outputNames("text", context)("txt"), kind: "text", contentType, bytes });
    return [];
  },
};

export const newerPreviewAny: NodeRunner = {
  ...previewAny,
  description: { ...previewAny.description, outputs: [{ type: "STRING", name: "STRING" }] },
  async run(inputs, context) {
    await previewAny.run(inputs, context);
    return [textOf(inputs.raw("source"), inputs.isFloat("source"))];
  },
};

const textBytesMax = 16 * 1024 ** 2;

function textOf(value: unknown, isFloat: boolean): string {
  if (typeof value === "number" && isFloat) return floatText(value);
  if (value === undefined || value === null) return "None";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return String(value);
  return "kind" in value && "data" in value ? summaryOf(value) : exactJson(value);
}

// Pictures and the like have no text; we print their kind and size.
function summaryOf(value: object): string {
  const measures = Object.entries(value).filter(([, member]) => typeof member === "number");
  return `${"kind" in value ? value.kind : ""} ${measures.map(([name, member]) => `${name} ${member}`).join(", ")}`;
}

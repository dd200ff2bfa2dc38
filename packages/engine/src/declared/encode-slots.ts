// Encodes the pictures, sounds and films of an assembled input the way the model wants them.
import { readFile } from "node:fs/promises";
import { channelsOf, pngOf } from "../classes/image-sinks.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { openRaw } from "../files/codec.ts";
import { encodeMedia, samplesOf } from "../files/encode-media.ts";
import { encodeFlac } from "../files/flac.ts";
import { decodedClip, fileOf } from "../files/media.ts";
import { firstChannels, greyPicture } from "../pictures/channels.ts";
import { toBytes } from "../pictures/colours/eight-bits.ts";
import type { Clip, Picture, SingleValue, Sound } from "../pictures/picture.ts";
import { scaled } from "../pictures/scaling/scale.ts";
import { MediaSlot } from "./assemble.ts";

interface Encoded {
  readonly bytes: Buffer;
  readonly type: string;
}

// The same value with every slot replaced by its text.
export async function encodeSlots(value: unknown, context: NodeContext): Promise<unknown> {
  if (value instanceof MediaSlot) return encodedText(value, context);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const each of value) items.push(await encodeSlots(each, context));
    return items;
  }
  if (typeof value !== "object" || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) members.push([name, await encodeSlots(inner, context)]);
  return Object.fromEntries(members);
}

async function encodedText(slot: MediaSlot, context: NodeContext): Promise<string> {
  const { bytes, type } = await encoded(slot, context);
  // Before anything is sent or paid.
  if (slot.bytesMax !== null && bytes.byteLength > slot.bytesMax)
    throw new NodeError(
      `A file of ${megabytes(bytes.byteLength)} MB was to be sent; the partner takes at most ${megabytes(slot.bytesMax)} MB. Use a smaller one.`,
    );
  context.expect(bytes.byteLength * 2, "An encoded input");
  const text = bytes.toString("base64");
  return slot.as === "base64" ? text : `data:${type};base64,${text}`;
}

const megabytes = (bytes: number): number => Number((bytes / 1_000_000).toFixed(1));

function encoded(slot: MediaSlot, context: NodeContext): Promise<Encoded> {
  const { value } = slot;
  if (!isMedia(value)) throw new NodeError("A picture, a sound or a video was expected.");
  switch (value.kind) {
    case "image":
      return pictureBytes(value, slot, context);
    case "mask":
      return pictureBytes(greyPicture(value, context), slot, context);
    case "audio":
      return soundBytes(value, slot, context);
    case "video":
      return filmBytes(value, context);
    default:
      throw new NodeError("A picture, a sound or a video was expected.");
  }
}

function isMedia(value: unknown): value is Extract<SingleValue, { readonly kind: string }> {
  return typeof value === "object" && value !== null && "kind" in value;
}

async function pictureBytes(picture: Picture, slot: MediaSlot, context: NodeContext): Promise<Encoded> {
  const first = {
    ...picture,
    batch: 1,
    data: picture.data.subarray(0, picture.width * picture.height * picture.channels),
  };
  const fitting = await withinPixels(first, slot.pixelsMax, context);
  if (slot.type !== "image/jpeg") return { bytes: await pngOf(fitting, { compressionLevel: 4 }), type: "image/png" };
  const { width, height, data } = fitting.channels > 3 ? firstChannels(fitting, 3, context) : fitting;
  const raw = {
    bytes: toBytes(data),
    width,
    height,
    channels: channelsOf(fitting.channels > 3 ? firstChannels(fitting, 3, context) : fitting),
  };
  return { bytes: await (await openRaw(raw)).jpeg({ quality: 92 }).toBuffer(), type: "image/jpeg" };
}

// Partners refuse pictures above a number of pixels; the application scales them down too.
async function withinPixels(picture: Picture, most: number | null, context: NodeContext): Promise<Picture> {
  const pixels = picture.width * picture.height;
  if (most === null || pixels <= most) return picture;
  const factor = Math.sqrt(most / pixels);
  const size = { width: Math.floor(picture.width * factor), height: Math.floor(picture.height * factor) };
  return scaled(picture, size, "lanczos", "disabled", context);
}

async function soundBytes(sound: Sound, slot: MediaSlot, context: NodeContext): Promise<Encoded> {
  if (slot.type !== "audio/mpeg") return { bytes: encodeFlac(sound, 0, new Map()), type: "audio/flac" };
  const words = ["-c:a", "libmp3lame", "-q:a", "1", "-f", "mp3"];
  const bytes = await encodeMedia({ what: "Sending a sound", frames: null, sound, words, texts: new Map() }, context);
  return { bytes, type: "audio/mpeg" };
}

async function filmBytes(clip: Clip, context: NodeContext): Promise<Encoded> {
  const type = "video/mp4";
  const file = clip.file?.format === "mov" ? await fileOf(clip, context) : null;
  if (file) return { bytes: await readFile(file.path), type };
  const { frames, framesPerSecond, sound } = await decodedClip(clip, context);
  const words = ["-c:v", "libx264", "-pix_fmt", "yuv420p", ...(sound ? ["-c:a", "aac"] : []), "-f", "mp4"];
  const samplesMax = sound ? samplesOf(frames.batch, framesPerSecond, sound.sampleRate) : 0;
  const pictures = { pictures: frames, framesPerSecond };
  const made = {
    what: "Sending a video",
    frames: pictures,
    sound,
    samplesMax,
    words,
    texts: new Map<string, string>(),
  };
  return { bytes: await encodeMedia(made, context), type };
}

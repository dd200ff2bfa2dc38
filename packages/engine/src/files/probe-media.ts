// What a video or sound says about itself before it is read. We choose the demuxer by the file's first bytes and never let the
// decoder guess: so playlists, which name other files, cannot be reached.
import { open } from "node:fs/promises";
import { NodeError } from "../execution/node-error.ts";
import { isRecord } from "../graph/graph.ts";
import { needTool, runTool } from "./ffmpeg.ts";

export const unreadable = "The file is damaged: it could not be read.";

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

export interface VideoStream {
  readonly codec: string;
  readonly pixelFormat: string;
  // The position of its chroma samples, if it says so.
  readonly chromaLocation: string;
  readonly colorSpace: string;
  readonly isFullRange: boolean;
  // Quarter turns, counter-clockwise.
  readonly turns: number;
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

interface Streams {
  readonly video: VideoStream | null;
  readonly audio: AudioStream | null;
}

export interface AudioStream {
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
  // The declared length; null if there is none.
  readonly seconds: number | null;
}

export function inputWords(path: string, format: string): string[] {
  return ["-protocol_whitelist", "file", "-f", format, "-i", `file:${path}`];
}

export async function probeMedia(path: string, format: string, what: string): Promise<Streams> {
  const ofStream = "codec_type,codec_name,width,height,avg_frame_rate,r_frame_rate";
  const ofColours = "pix_fmt,chroma_location,color_space,color_range";
  const entries = `stream=${ofStream},${ofColours},channels,sample_rate,duration:stream_side_data=rotation`;
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
  if (!(width > 0 && height > 0)) return null;
  const text = (member: string) => String(stream[member] ?? "");
  const pixelFormat = text("pix_fmt");
  const colours = {
    pixelFormat,
    chromaLocation: text("chroma_location"),
    colorSpace: text("color_space"),
    isFullRange: text("color_range") === "pc" || pixelFormat.startsWith("yuvj"),
  };
  const turns = Math.floor(rotationOf(stream["side_data_list"]) / 90);
  return { codec: codecOf(stream), ...colours, turns, width, height, framesPerSecond };
}

function rotationOf(sideData: unknown): number {
  const listed = Array.isArray(sideData) ? sideData.filter(isRecord) : [];
  const degrees = Number(listed.find((one) => one["rotation"] !== undefined)?.["rotation"] ?? 0);
  return Number.isFinite(degrees) ? degrees : 0;
}

// "yuv420p10le", "gray16be", "rgb48le": bits per colour, 8 if unspecified.
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
  const said = Number(stream?.["duration"] ?? Number.NaN);
  const seconds = said > 0 ? said : null;
  const isKnown = channels > 0 && channels <= 16 && sampleRate > 0;
  return isKnown ? { codec: codecOf(stream), channels, sampleRate, seconds } : null;
}

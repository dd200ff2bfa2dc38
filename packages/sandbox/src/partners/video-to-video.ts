// Partner-b's video-to-video: what the body means, and what it produces.
import { ExactNumber } from "../models/exact-json.ts";
import { decodeFilm, encodeFilm, type FilmFormat } from "../pictures/film-file.ts";
import type { Work } from "./partner-a.ts";
import {
  addressCharactersMax,
  filmSize,
  promptCharactersMax,
  readCommon,
  readSeed,
  shortened,
  usualParameters,
  type VideoReading,
  type VideoSource,
  without,
} from "./partner-b.ts";
import type { PictureReader, PictureSource } from "./picture-source.ts";
import type { Fields } from "./read-fields.ts";

const controls = ["motion_control", "pose_control"] as const;
const framesMax = 192;
// How many frames a still picture lasts if it is given as the video.
const stillFrames = 16;

interface Order {
  readonly prompt: string;
  readonly seed: string;
  readonly strength: number;
  readonly motion: number;
  readonly outlines: boolean;
}

export function readVideoToVideo(fields: Fields, { text, reader, format }: VideoSource): VideoReading | null {
  const prompt = fields.text("prompt_text", promptCharactersMax) ?? "";
  if (prompt === "") fields.wrong("prompt_text", "is required");
  const address = fields.text("video_url", addressCharactersMax);
  if (address === null) fields.wrong("video_url", "is required");
  if (!fields.has("control_type")) fields.wrong("control_type", "is required");
  const control = fields.word("control_type", controls);
  const film = address === null ? null : reader.sourceOf(address, "video");
  if (typeof film === "string") fields.wrong("video_url", film);
  const inside = fields.inside("inference_params");
  const { guidance, unwanted } = readCommon(inside);
  const intensity = inside.inside("control_params").integer("motion_intensity", 0, 100, 100);
  const { sent, seedText, seed } = readSeed(fields, text);
  if (fields.problems.length > 0 || seed === null || film === null || typeof film === "string") return null;
  const isMotion = control === "motion_control";
  const order: Order = {
    prompt: without(prompt, unwanted),
    seed,
    strength: 0.3 + (guidance / 20) * 0.6,
    motion: isMotion ? intensity / 100 : 1,
    outlines: !isMotion,
  };
  const given = Object.fromEntries([...sent].map(([name, raw]) => [name, new ExactNumber(raw)]));
  return {
    seedText,
    echo: {
      prompt_text: prompt,
      frame_conditioning: { video_url: shortened(address ?? ""), control_type: control },
      inference_params: { ...usualInFilms, ...given, seed: new ExactNumber(seedText) },
      model_params: { model: "sandbox-refilm-1" },
    },
    work: refilmed(film, order, reader, format),
  };
}

// Size, frames and speed come from the given video.
const { width: _, height: __, num_frames: ___, fps: ____, ...usualInFilms } = usualParameters;

function refilmed(source: PictureSource, order: Order, reader: PictureReader, format: FilmFormat): Work {
  return async ({ studio, publish }) => {
    const decoded = await decodeFilm(await reader.bytesOf(source), {
      fit: ({ width, height }) => filmSize(width, height),
      framesMax,
    });
    const film = decoded.count === 1 ? repeated(decoded, stillFrames) : decoded;
    const { width, height, count, framesPerSecond } = film;
    const pixels = await studio.render({ kind: "refilm", ...order, width, height, count, pixels: film.pixels });
    const made = { width, height, count, framesPerSecond, pixels };
    const { bytes, contentType, extension } = await encodeFilm(made, decoded.shown, format);
    return { urls: [publish(bytes, contentType, extension)], error: null };
  };
}

function repeated<Film extends { readonly pixels: Uint8Array<ArrayBuffer> }>(film: Film, count: number) {
  const pixels = new Uint8Array(film.pixels.length * count);
  for (let frame = 0; frame < count; frame++) pixels.set(film.pixels, frame * film.pixels.length);
  return { ...film, count, pixels };
}

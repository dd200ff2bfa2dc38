// Partner-b's videos: what a prompt's body means, what it produces, and how a prompt looks from outside. We repeat numbers as
// the text they came in, so that a 64-bit seed keeps every digit.

import { randomBytes } from "node:crypto";
import { bodyBytesMax } from "../http/read-body.ts";
import type { ClipRequest } from "../light/clip.ts";
import { canonicalInteger, ExactNumber, isMembers, membersOf } from "../models/exact-json.ts";
import { encodeFilm, type FilmFormat } from "../pictures/film-file.ts";
import type { Work } from "./partner-a.ts";
import type { PartnerTask } from "./partner-tasks.ts";
import { decodeCovering, type PictureReader, type PictureSource } from "./picture-source.ts";
import type { Fields } from "./read-fields.ts";
import { sandboxPartners } from "./sandbox-partners.ts";

export interface VideoSource {
  // The body as received.
  readonly text: string;
  readonly reader: PictureReader;
  readonly format: FilmFormat;
}

export interface VideoReading {
  readonly work: Work;
  readonly echo: Readonly<Record<string, unknown>>;
  readonly seedText: string;
}

const longerSideMax = 480;
const shorterSideMin = 16;
export const promptCharactersMax = 5000;
export const addressCharactersMax = bodyBytesMax;
const keyframesMax = 16;
// Longer than any URL, so it is the picture itself. We do not repeat it with every read.
const echoedCharactersMax = 16 * 1024;

export const usualParameters = {
  add_quality_guidance: true,
  caching_coefficient: 0.3,
  caching_cooldown: 3,
  caching_warmup: 3,
  clip_value: 3,
  conditioning_frame_index: 0,
  cooldown_steps: 75,
  fps: 24,
  guidance_scale: 10,
  height: 1080,
  num_frames: 64,
  shift_value: 3,
  steps: 80,
  use_guidance_schedule: true,
  use_negative_prompts: false,
  use_timestep_transform: true,
  warmup_steps: 0,
  width: 1920,
} as const;

export function readVideo(
  fields: Fields,
  { text, kind, reader, format }: VideoSource & { readonly kind: string },
): VideoReading | null {
  const prompt = fields.text("prompt_text", promptCharactersMax) ?? "";
  const image = fields.text("image_url", addressCharactersMax);
  const stills = kind === "image-to-video" ? readKeyframes(fields, reader) : new Map<string, PictureSource>();
  if (kind === "image-to-video" ? image === null && stills.size === 0 : prompt === "" && image === null)
    fields.wrong(kind === "image-to-video" ? "image_url" : "prompt_text", "is required");
  const first = image === null ? null : reader.sourceOf(image);
  if (typeof first === "string") fields.wrong("image_url", first);
  const parameters = readParameters(fields);
  const { raw, sent, seedText, seed } = readSeed(fields, text);
  if (fields.problems.length > 0 || seed === null) return null;
  const { frames } = parameters;
  const pictures = placed(typeof first === "object" ? first : null, stills, parameters.conditioned, frames);
  const words = without(prompt, parameters.unwanted);
  return {
    seedText,
    echo: echoOf(prompt, image, raw.get("keyframes") ?? null, sent, seedText),
    work: filmOf({ ...parameters, prompt: words, seed, pictures }, reader, format),
  };
}

export function readSeed(fields: Fields, text: string) {
  const raw = membersOf(text);
  const sent = membersOf(raw.get("inference_params") ?? "{}");
  const seedText = sent.get("seed") ?? String(randomBytes(8).readBigInt64BE());
  const seed = canonicalInteger(seedText);
  if (seed === null || !isSixtyFourBits(seed)) fields.wrong("inference_params.seed", "must be a 64-bit integer");
  return { raw, sent, seedText, seed };
}

function isSixtyFourBits(digits: string): boolean {
  const value = digits.includes("e") ? null : BigInt(digits);
  return value !== null && value >= -(2n ** 63n) && value < 2n ** 64n;
}

// What every kind of video takes.
export function readCommon(inside: Fields): { readonly guidance: number; readonly unwanted: string } {
  for (const name of ["caching_coefficient", "clip_value", "shift_value"]) inside.number(name, -1e9, 1e9, 0);
  for (const name of ["caching_cooldown", "caching_warmup", "cooldown_steps", "warmup_steps"])
    inside.integer(name, -1e9, 1e9, 0);
  for (const name of ["add_quality_guidance", "use_guidance_schedule", "use_timestep_transform"])
    inside.flag(name, true);
  inside.integer("steps", 1, 100, usualParameters.steps);
  const unwanted = inside.text("negative_prompt", promptCharactersMax) ?? "";
  return {
    guidance: inside.number("guidance_scale", 1, 20, usualParameters.guidance_scale),
    unwanted: inside.flag("use_negative_prompts", false) ? unwanted : "",
  };
}

function readParameters(fields: Fields) {
  const inside = fields.inside("inference_params");
  const frames = inside.integer("num_frames", 1, 128, usualParameters.num_frames);
  return {
    unwanted: readCommon(inside).unwanted,
    width: inside.integer("width", 64, 2560, usualParameters.width),
    height: inside.integer("height", 64, 2560, usualParameters.height),
    framesPerSecond: inside.integer("fps", 1, 60, usualParameters.fps),
    frames,
    conditioned: Math.min(frames - 1, Math.max(0, inside.integer("conditioning_frame_index", -1e9, 1e9, 0))),
  };
}

function readKeyframes(fields: Fields, reader: PictureReader): Map<string, PictureSource> {
  const stills = new Map<string, PictureSource>();
  const entries = fields.inside("keyframes").entries();
  if (entries.length > keyframesMax) fields.wrong("keyframes", `are more than ${keyframesMax}`);
  for (const [name, still] of entries.slice(0, keyframesMax)) {
    const address = isMembers(still) && Object.hasOwn(still, "image_url") ? still["image_url"] : undefined;
    const source = typeof address === "string" ? reader.sourceOf(address) : "is required";
    if (typeof source === "string") fields.wrong(`keyframes.${name}.image_url`, source);
    else stills.set(name, source);
  }
  return stills;
}

interface Placed {
  readonly frame: number;
  readonly source: PictureSource;
}

// Keyframes are where their names say; if the names are not numbers, they are spread evenly, first to last.
function placed(
  first: PictureSource | null,
  stills: ReadonlyMap<string, PictureSource>,
  conditioned: number,
  frames: number,
): readonly Placed[] {
  const byFrame = new Map<number, PictureSource>();
  if (first) byFrame.set(conditioned, first);
  for (const [index, [name, source]] of [...stills].entries()) {
    const spread = stills.size > 1 ? (index / (stills.size - 1)) * (frames - 1) : 0;
    const frame = /^\d{1,4}$/.test(name) ? Number(name) : Math.round(spread);
    byFrame.set(Math.min(frames - 1, frame), source);
  }
  return [...byFrame].map(([frame, source]) => ({ frame, source }));
}

// Removes unwanted words before the prompt is read.
export function without(prompt: string, unwanted: string): string {
  const words = new Set(unwanted.toLowerCase().match(/\p{L}+/gu) ?? []);
  if (words.size === 0) return prompt;
  return prompt.replace(/\p{L}+/gu, (word) => (words.has(word.toLowerCase()) ? "" : word));
}

type Film = Omit<ClipRequest, "pictures"> & { readonly pictures: readonly Placed[] };

// The requested shape in a size that can be drawn within seconds.
export function filmSize(width: number, height: number): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, longerSideMax / Math.max(width, height));
  const side = (length: number) => Math.max(shorterSideMin, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

function filmOf(film: Film, reader: PictureReader, format: FilmFormat): Work {
  return async ({ studio, publish }) => {
    const { frames: count, framesPerSecond } = film;
    const { width, height } = filmSize(film.width, film.height);
    const pictures = await Promise.all(
      film.pictures.map(async ({ frame, source }) => ({
        frame,
        picture: await decodeCovering(await reader.bytesOf(source), width, height),
      })),
    );
    const pixels = await studio.render({ kind: "clip", ...film, width, height, pictures });
    const drawn = { width, height, count, framesPerSecond, pixels };
    const { bytes, contentType, extension } = await encodeFilm(drawn, film, format);
    return { urls: [publish(bytes, contentType, extension)], error: null };
  };
}

function echoOf(
  prompt: string,
  image: string | null,
  keyframes: string | null,
  sent: ReadonlyMap<string, string>,
  seedText: string,
): Readonly<Record<string, unknown>> {
  // ExactNumber writes its text unchanged, so everything comes back byte for byte.
  const given = Object.fromEntries([...sent].map(([name, raw]) => [name, new ExactNumber(raw)]));
  return {
    prompt_text: prompt,
    frame_conditioning: {
      ...(image !== null && { image_url: shortened(image) }),
      ...(keyframes !== null && { keyframes: keyframesEcho(keyframes) }),
    },
    inference_params: { ...usualParameters, ...given, seed: new ExactNumber(seedText) },
    model_params: { model: "sandbox-film-1" },
  };
}

export function shortened(address: string): string {
  return address.length <= echoedCharactersMax ? address : `${address.slice(0, 64)}… (${address.length} characters)`;
}

function keyframesEcho(raw: string): unknown {
  if (raw.length <= echoedCharactersMax) return new ExactNumber(raw);
  const stills = [...membersOf(raw)].map(([name, still]) => {
    const address: unknown = JSON.parse(membersOf(still).get("image_url") ?? '""');
    return [name, { image_url: shortened(String(address)) }] as const;
  });
  return Object.fromEntries(stills);
}

export function presentPrompt(task: PartnerTask): object {
  const { outcome, stage, createdAt, endedAt } = task;
  const url = stage === "completed" ? outcome?.urls[0] : undefined;
  return {
    id: task.id,
    status: sandboxPartners["partner-b"].states[stage],
    ...task.echo,
    ...(url !== undefined && { output_url: url }),
    ...(stage === "failed" && outcome?.error && { error: outcome.error }),
    meta: {
      created_at: createdAt,
      ...(endedAt !== null && {
        completed_at: endedAt,
        duration_s: (Date.parse(endedAt) - Date.parse(createdAt)) / 1000,
      }),
    },
  };
}

// Puts our own pictures, films, sounds and texts into a documented answer, where the partner's would be.
import type { GenerateDeps } from "../models/generate.ts";
import { writeText } from "../models/text.ts";
import { frameCount, framesPerSecond } from "../pictures/animation.ts";
import { encodePng } from "../pictures/encode.ts";
import { encodeFilm, usualFilmFormat } from "../pictures/film-file.ts";
import { drawVector, makeSolid } from "./own-shapes.ts";
import type { AskedPicture, StandInMedia } from "./stand-in.ts";

export interface MadeFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly extension: string;
}

const filmSeconds = 2;
const filmSideMax = 480;

export async function makeFile(
  deps: GenerateDeps,
  kind: StandInMedia["kind"],
  asked: AskedPicture,
  seed: number,
): Promise<MadeFile> {
  const digits = String(seed);
  if (kind === "audio") {
    const bytes = await deps.studio.render({ kind: "voice", prompt: asked.prompt, seed: digits });
    return { bytes, contentType: "audio/wav", extension: "wav" };
  }
  if (kind === "text") {
    const bytes = Buffer.from(writeText({ prompt: asked.prompt, seed: digits }));
    return { bytes, contentType: "text/plain", extension: "txt" };
  }
  if (kind === "vector") return { bytes: drawVector(asked, seed), contentType: "image/svg+xml", extension: "svg" };
  if (kind === "model") return { bytes: makeSolid(seed), contentType: "model/gltf-binary", extension: "glb" };
  if (kind === "video") {
    const factor = Math.min(1, filmSideMax / Math.max(asked.width, asked.height));
    const even = (side: number) => Math.max(16, Math.round((side * factor) / 2) * 2);
    const size = { width: even(asked.width), height: even(asked.height) };
    const request = { prompt: asked.prompt, seed: digits, ...size, seconds: filmSeconds };
    const pixels = await deps.studio.render({ kind: "animation", ...request });
    const film = { ...size, count: frameCount(filmSeconds), framesPerSecond, pixels };
    return encodeFilm(film, size, usualFilmFormat());
  }
  const { width, height, prompt } = asked;
  const pixels = await deps.studio.render({ kind: "picture", prompt, seed: digits, width, height });
  return { bytes: await encodePng(pixels, width, height), contentType: "image/png", extension: "png" };
}

// A copy of the answer with our media in it. An address becomes ours, base64 our bytes, a text ours.
export async function withMedia(
  body: unknown,
  media: readonly StandInMedia[],
  make: (kind: StandInMedia["kind"], index: number) => Promise<MadeFile>,
  publish: GenerateDeps["publish"],
): Promise<unknown> {
  const copy: unknown = structuredClone(body);
  let made = 0;
  for (const { pointer, kind } of media) {
    for (const { holder, name, value } of positionsIn(copy, pointer.split("/").slice(1))) {
      const { bytes, contentType, extension } = await make(kind, made++);
      const base64 = () => Buffer.from(bytes).toString("base64");
      const isAddress = /^https?:\/\//.test(value);
      const text =
        kind === "text"
          ? Buffer.from(bytes).toString("utf8")
          : isAddress
            ? publish(bytes, contentType, extension)
            : value.startsWith("data:")
              ? `data:${contentType};base64,${base64()}`
              : base64();
      Reflect.set(holder, name, text);
    }
  }
  return copy;
}

interface Position {
  readonly holder: object;
  readonly name: string;
  readonly value: string;
}

function positionsIn(value: unknown, [name, ...rest]: readonly string[]): Position[] {
  if (name === undefined || typeof value !== "object" || value === null) return [];
  const names = name === "*" && Array.isArray(value) ? [...value.keys()].map(String) : [name];
  return names.flatMap((each): Position[] => {
    const inner: unknown = Object.hasOwn(value, each) ? Reflect.get(value, each) : undefined;
    if (rest.length > 0) return positionsIn(inner, rest);
    return typeof inner === "string" ? [{ holder: value, name: each, value: inner }] : [];
  });
}

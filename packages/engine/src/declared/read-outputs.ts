// Reads a class's outputs from a model's answer: texts as they are, pictures, sounds and films from addresses, data URLs, base64
// or the answer's own bytes.
import { readFile, writeFile } from "node:fs/promises";
import type { ModelAnswer } from "../engine-host.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import { decodePictures } from "../files/decode.ts";
import { readFilm, readSound } from "../files/media.ts";
import { mediaFormat } from "../files/probe-media.ts";
import { decodeWav } from "../files/wav.ts";
import { withOpaqueAlpha } from "../pictures/channels.ts";
import { type Picture, type Sound, sameSize, type Value } from "../pictures/picture.ts";
import { scaled } from "../pictures/scaling/scale.ts";
import type { DeclaredOutput, NodeDeclaration } from "./declaration.ts";
import { foundAt } from "./found-at.ts";

const failed = (message: string) => new NodeError(message, "model_call_failed");

export async function readOutputs(
  { name, outputs }: NodeDeclaration,
  answer: ModelAnswer,
  context: NodeContext,
): Promise<Value[]> {
  const isJson = answer.contentType.includes("json") || answer.contentType.startsWith("text/");
  const json = isJson ? parsed(answer.bytes) : undefined;
  const values: Value[] = [];
  for (const output of outputs) {
    const found = foundIn(output, answer, json);
    if (output.type === "STRING") values.push(textOutput(output, found, name));
    else if (found.length > 0) values.push(await mediaOutput(output, found, context));
    else if (output.otherwise === "empty" && output.type === "IMAGE") values.push(nothing(context));
    else
      throw failed(
        `The model's answer has no ${words[output.type]} where ${name} looks for it: ${output.from.join(", ")}`,
      );
  }
  return values;
}

const words = {
  IMAGE: "picture",
  VIDEO: "video",
  AUDIO: "sound",
  STRING: "text",
  SVG: "vector picture",
  FILE_3D_GLB: "3D model",
} as const;

type Found = string | Uint8Array;

function foundIn({ from }: DeclaredOutput, answer: ModelAnswer, json: unknown): Found[] {
  for (const pointer of from) {
    if (json === undefined) {
      if (pointer === "") return [answer.bytes];
      continue;
    }
    const texts = foundAt(json, pointer).filter((each) => typeof each === "string" && each !== "");
    if (texts.length > 0) return texts.map(String);
  }
  return [];
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw failed("The model's answer is not JSON.");
  }
}

function textOutput({ otherwise, from }: DeclaredOutput, found: readonly Found[], name: string): string {
  const texts = found.filter((each) => typeof each === "string");
  if (texts.length > 0) return texts.join("\n");
  if (otherwise !== undefined) return otherwise;
  throw failed(`The model's answer has no text where ${name} looks for it: ${from.join(", ")}`);
}

async function mediaOutput({ type }: DeclaredOutput, found: readonly Found[], context: NodeContext): Promise<Value> {
  const [first] = found;
  if (first === undefined) throw failed("The model's answer is empty.");
  if (type === "VIDEO") return readFilm(await pathOf(first, context), context, true);
  if (type === "AUDIO") return soundIn(await pathOf(first, context), context);
  if (type === "SVG" || type === "FILE_3D_GLB") return passedOn(type, type === "SVG" ? found : [first], context);
  const pictures: Picture[] = [];
  for (const each of found) pictures.push((await decodePictures(await bytesOf(each, context), context)).picture);
  return batchOf(pictures, context);
}

async function soundIn(path: string, context: NodeContext): Promise<Sound> {
  if ((await mediaFormat(path)) !== "wav") return readSound(path, context);
  return decodeWav(await readFile(path), (count) => context.floats(count, "A sound"));
}

const signatures = { SVG: /<svg[\s>]/, FILE_3D_GLB: /^glTF/ } as const;
const signatureBytes = 4096;

// Files that no class looks into; at least they begin as such files do.
async function passedOn(type: keyof typeof signatures, found: readonly Found[], context: NodeContext): Promise<Value> {
  const contents: Uint8Array[] = [];
  for (const each of found) {
    const given = await bytesOf(each, context);
    const bytes = typeof given === "string" ? await readFile(given) : given;
    if (!signatures[type].test(Buffer.from(bytes.subarray(0, signatureBytes)).toString("latin1")))
      throw failed(`The model's answer is not a ${words[type]}.`);
    const memory = context.floats(Math.ceil(bytes.byteLength / 4), "A file");
    const kept = new Uint8Array(memory.buffer, memory.byteOffset, bytes.byteLength);
    kept.set(bytes);
    contents.push(kept);
  }
  return { kind: "file", format: type === "SVG" ? "svg" : "glb", contents };
}

// One of 64 × 64, black: where the model may answer without this picture.
const nothing = (context: NodeContext): Picture => context.image(1, 64, 64, 3);

const dataUrl = /^data:[^,;]*(?:;[^,;]*)*;base64,/i;

async function bytesOf(found: Found, context: NodeContext): Promise<Uint8Array | string> {
  if (typeof found !== "string") return found;
  if (/^https?:\/\//i.test(found)) return context.file({ kind: "url", url: found });
  return Buffer.from(found.replace(dataUrl, ""), "base64");
}

async function pathOf(found: Found, context: NodeContext): Promise<string> {
  const bytes = await bytesOf(found, context);
  if (typeof bytes === "string") return bytes;
  const path = context.scratch();
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}

// Pictures of one answer form a batch; the size is the first one's.
async function batchOf(pictures: readonly Picture[], context: NodeContext): Promise<Picture> {
  const [first] = pictures;
  if (first === undefined) throw failed("The model's answer is empty.");
  if (pictures.length === 1) return first;
  const channels = Math.max(...pictures.map((each) => each.channels));
  const batch = pictures.reduce((sum, each) => sum + each.batch, 0);
  const out = context.image(batch, first.height, first.width, channels);
  let at = 0;
  for (const each of pictures) {
    const wide = each.channels < channels ? withOpaqueAlpha(each, context) : each;
    const fitting = sameSize(wide, first) ? wide : await scaled(wide, first, "bilinear", "center", context);
    out.data.set(fitting.data, at);
    at += fitting.data.length;
  }
  return out;
}

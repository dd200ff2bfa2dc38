// Our side of the reference inputs and outputs. Inputs come from a seed, through the same small generator as in
// references/make-references.py. Pictures are written as the beginning of a hash of their floats.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { listOf, type SingleValue, type Value } from "../../src/pictures/picture.ts";

interface TensorSummary {
  readonly shape: readonly number[];
  readonly hash?: string;
  readonly floats?: string;
}

const isTensorSummary = (value: unknown): value is TensorSummary =>
  typeof value === "object" && value !== null && "shape" in value;

// The tensor of a picture, a latent or a sound.
export function tensorOf(value: unknown): TensorSummary {
  const inner: unknown = typeof value === "object" && value !== null ? Object.values(value)[0] : undefined;
  const found = isTensorSummary(value) ? value : inner;
  assert.ok(isTensorSummary(found));
  return found;
}

type Kind = "levels" | "smooth" | "signed" | "wide" | "photo" | "spots";

const drawn: Readonly<Record<Kind, (draw: number, x: number, y: number, channel: number) => number>> = {
  levels: (draw) => (draw >>> 16) / 255,
  smooth: (draw) => draw / 2 ** 24,
  signed: (draw) => draw / 2 ** 23 - 1,
  wide: (draw) => (draw / 2 ** 24 - 0.5) * 8,
  photo: (draw, x, y, channel) => ((x * 5 + y * (3 + channel * 2) + ((x * y) >> 3) + (draw >>> 19)) & 255) / 255,
  spots: (draw) => (draw >>> 22 === 0 ? 1 : 0),
};

function floatsOf(kind: Kind, seed: number, shape: readonly number[]): Float32Array {
  const out = new Float32Array(shape.reduce((product, side) => product * side, 1));
  const [channels, width] = [shape.at(-1) ?? 1, shape.at(-2) ?? 1];
  const value = drawn[kind];
  let state = seed >>> 0;
  for (let at = 0; at < out.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const pixel = Math.floor(at / channels);
    out[at] = value(state >>> 8, pixel % width, Math.floor(pixel / width), at % channels);
  }
  return out;
}

const isKind = (value: unknown): value is Kind =>
  ["levels", "smooth", "signed", "wide", "photo", "spots"].some((kind) => kind === value);

function tensor(spec: unknown, skipped = 0): { shape: number[]; numbers: number[]; data: Float32Array } {
  assert.ok(Array.isArray(spec));
  const [kind, seed = 0, ...rest]: unknown[] = spec;
  const numbers = rest.map(Number);
  const shape = numbers.slice(skipped);
  assert.ok(isKind(kind));
  return { shape, numbers, data: floatsOf(kind, Number(seed), shape) };
}

// Turns each description of a tensor into a tensor, and leaves everything else alone.
export async function makeInputs(
  value: unknown,
  run: (name: string, inputs: object) => Promise<Value[]>,
): Promise<unknown> {
  if (typeof value === "string" && /^\d+n$/.test(value)) return BigInt(value.slice(0, -1));
  if (typeof value !== "object" || value === null) return value;
  const [name, spec]: [string, unknown] = Object.entries(value)[0] ?? ["", null];
  if (name === "image") {
    const { shape, data } = tensor(spec);
    const [batch = 0, height = 0, width = 0, channels = 0] = shape;
    return { kind: "image", batch, height, width, channels, data } satisfies Value;
  }
  if (name === "mask") {
    const { shape, data } = tensor(spec);
    const [batch = 0, height = 0, width = 0] = shape;
    return { kind: "mask", batch, height, width, data } satisfies Value;
  }
  if (name === "audio") {
    const { shape, numbers, data } = tensor(spec, 1);
    const [batch = 0, channels = 0, length = 0] = shape;
    return { kind: "audio", batch, channels, length, sampleRate: numbers[0] ?? 0, data } satisfies Value;
  }
  if (name === "latent") {
    const noise: unknown = Reflect.get(value, "noise_mask");
    const batchIndex: unknown = Reflect.get(value, "batch_index");
    return {
      kind: "latent",
      ...tensor(spec),
      ...(noise === undefined ? {} : { noiseMask: tensor(noise) }),
      ...(Array.isArray(batchIndex) ? { batchIndex: batchIndex.map(Number) } : {}),
    } satisfies Value;
  }
  if (name === "list") {
    assert.ok(Array.isArray(spec));
    const items = await Promise.all(spec.map((item) => makeInputs(item, run)));
    return listOf(items.filter(isSingle));
  }
  if (name === "operation") {
    assert.ok(Array.isArray(spec));
    return (await run(String(spec[0]), Object(spec[1])))[0];
  }
  return value;
}

const isSingle = (value: unknown): value is SingleValue =>
  typeof value !== "object" ? value !== undefined : value !== null && "kind" in value && value.kind !== "list";

export function hashOf(data: Float32Array): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

const summarizeTensor = (shape: readonly number[], data: Float32Array) => ({ shape, hash: hashOf(data) });

// How far a picture is from the reference's floats. Null if the reference only has a hash.
export function distanceFrom(expected: TensorSummary, data: Float32Array): number | null {
  if (expected.floats === undefined) return null;
  const bytes = Uint8Array.from(Buffer.from(expected.floats, "base64"));
  const wanted = new Float32Array(bytes.buffer);
  assert.equal(data.length, wanted.length);
  return wanted.reduce((most, value, at) => Math.max(most, Math.abs(value - (data[at] ?? Number.NaN))), 0);
}

// The value in the reference's notation.
export function summarize(value: Value): unknown {
  if (typeof value === "bigint") return { value: `${value}n` };
  if (typeof value !== "object") return { value };
  switch (value.kind) {
    case "image":
      return summarizeTensor([value.batch, value.height, value.width, value.channels], value.data);
    case "mask":
      return summarizeTensor([value.batch, value.height, value.width], value.data);
    case "latent":
      return {
        latent: summarizeTensor(value.shape, value.data),
        ...(value.noiseMask ? { noise_mask: summarizeTensor(value.noiseMask.shape, value.noiseMask.data) } : {}),
        ...(value.batchIndex ? { batch_index: value.batchIndex } : {}),
      };
    case "audio":
      return {
        audio: summarizeTensor([value.batch, value.channels, value.length], value.data),
        sample_rate: value.sampleRate,
      };
    case "list":
      return { list: value.items.map(summarize) };
    default:
      return { kind: value.kind };
  }
}

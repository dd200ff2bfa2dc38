// The values on links. Pictures and masks are 32-bit floats, usually 0..1, in the order batch, height, width, channels. Values
// are immutable, so they may share memory and a slice of a batch is a view.
import { NodeError } from "../execution/node-error.ts";
import type { Tensor } from "./tensor.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

// One plane of interleaved channels, the shape every kernel works on: a picture of a batch, or a mask (one channel).
export interface Plane extends Size {
  readonly channels: number;
  readonly data: Float32Array;
}

export interface Picture extends Plane {
  readonly kind: "image";
  readonly batch: number;
}

export interface Mask extends Omit<Plane, "channels"> {
  readonly kind: "mask";
  readonly batch: number;
}

// batch × channels × height × width; for videos batch × channels × frames × height × width, for sounds fewer.
export interface Latent extends Tensor {
  readonly kind: "latent";
  // Where a model may change something; one class makes it, the others pass it on.
  readonly noiseMask?: Tensor;
  // Their indices in a larger batch.
  readonly batchIndex?: readonly number[];
}

// What an operation may use of the node that runs it: counted memory, and a pause between its steps.
export interface OperationContext {
  floats(count: number, what: string): Float32Array;
  breathe(step: number, steps: number): Promise<void>;
}

// What to do with a latent later.
export interface LatentOperation {
  readonly kind: "operation";
  readonly apply: (latent: Latent, context: OperationContext) => Promise<Latent>;
  readonly data: Float32Array;
}

// batch × channels × samples
export interface Sound {
  readonly kind: "audio";
  readonly batch: number;
  readonly channels: number;
  readonly length: number;
  readonly sampleRate: number;
  readonly data: Float32Array;
}

// A film, decoded or not: it is decoded only for a node that asks for its frames or its sound.
export type Clip = DecodedClip | FilmFile;

export interface DecodedClip {
  readonly kind: "video";
  readonly frames: Picture;
  readonly framesPerSecond: number;
  readonly sound: Sound | null;
  // Bits per colour, in the file it came from or will be saved as; 8 if absent.
  readonly bitDepth?: number;
  // The file it was read from, while the job lasts: its streams can be copied unchanged.
  readonly file?: ClipFile;
}

export interface FilmFile {
  readonly kind: "video";
  readonly frames: null;
  // Of a frame.
  readonly size: Size;
  readonly framesPerSecond: number;
  readonly bitDepth: number;
  readonly file: ClipFile;
  // The file itself, for jobs that reuse the value after its own job ended. Null if every job makes the value itself.
  readonly contents: Uint8Array | null;
}

export interface ClipFile {
  readonly path: string;
  // The demuxer to use, and the codecs of the streams.
  readonly format: string;
  readonly videoCodec: string;
  readonly audioCodec: string | null;
}

// Files that no class looks into: vector pictures, one or several, or a 3D model.
export interface FileValue {
  readonly kind: "file";
  // Also the extension of its name: svg, glb …
  readonly format: string;
  readonly contents: readonly Uint8Array[];
}

// What one declared class says to another: a voice, a style.
export interface DataValue {
  readonly kind: "data";
  readonly json: unknown;
}

export type SingleValue =
  | string
  | number
  | bigint
  | boolean
  | Picture
  | Mask
  | Latent
  | LatentOperation
  | Sound
  | Clip
  | FileValue
  | DataValue;

// Several values on one link: a class after it runs once per value, or takes them all. A list of one is just that value.
interface ValueList {
  readonly kind: "list";
  readonly items: readonly SingleValue[];
}

export type Value = SingleValue | ValueList;

export const listItemsMax = 10_000;

export function listOf(items: readonly SingleValue[]): Value {
  const [first] = items;
  if (first === undefined) throw new NodeError("The list would be empty.");
  if (items.length > listItemsMax) throw new NodeError(`A list has at most ${listItemsMax} values.`, "out_of_memory");
  return items.length === 1 ? first : { kind: "list", items };
}

export function itemsOf(value: Value): readonly SingleValue[] {
  if (typeof value !== "object" || value.kind !== "list") return [value];
  return value.items;
}

export function planeOf(value: Picture | Mask, index: number): Plane {
  const channels = value.kind === "image" ? value.channels : 1;
  const { height, width } = value;
  const size = height * width * channels;
  return { height, width, channels, data: value.data.subarray(index * size, (index + 1) * size) };
}

export function planes(value: Picture | Mask): Plane[] {
  return Array.from({ length: value.batch }, (_, index) => planeOf(value, index));
}

export function sameSize(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

export function buffersOf(value: Value): ArrayBufferLike[] {
  if (typeof value !== "object") return [];
  if (value.kind === "list") return value.items.flatMap(buffersOf);
  if (value.kind === "data") return [];
  if (value.kind === "file") return value.contents.map(({ buffer }) => buffer);
  if (value.kind === "latent" && value.noiseMask) return [value.data.buffer, value.noiseMask.data.buffer];
  if (value.kind !== "video") return [value.data.buffer];
  if (value.frames === null) return value.contents ? [value.contents.buffer] : [];
  return [value.frames.data.buffer, ...(value.sound ? [value.sound.data.buffer] : [])];
}

// Rounds halves to even, like Python; otherwise sizes would differ by a pixel.
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

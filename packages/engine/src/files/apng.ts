// The pictures of an animated PNG in display order, composed as the application's reader does it: where a picture is blended
// over the previous one, all four channels are mixed by its alpha.
import { NodeError } from "../execution/node-error.ts";
import { chunk, signature } from "./png.ts";

interface ApngFrame {
  // A standalone PNG file with the frame's size.
  readonly png: Buffer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly disposal: number;
  readonly isLaidOver: boolean;
}

interface Apng {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly ApngFrame[];
}

const damaged = () => new NodeError("The file is damaged: the picture could not be read.");

interface Control extends Omit<ApngFrame, "png"> {
  readonly data: Buffer[];
}

export function readApng(file: Buffer): Apng {
  const header = file.subarray(16, 29);
  if (header.length < 13) throw damaged();
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const shared: Buffer[] = [];
  const controls: Control[] = [];
  const whole = { x: 0, y: 0, width, height, disposal: 0, isLaidOver: false };
  let hasData = false;
  for (const [type, body] of chunksOf(file)) {
    if (type === "fcTL") controls.push({ ...controlOf(body, width, height), data: [] });
    else if (type === "IDAT") {
      // A default image for viewers without animation support: the application counts it as the first.
      if (!hasData && controls.length === 0) controls.push({ ...whole, data: [] });
      hasData = true;
      controls[0]?.data.push(body);
    } else if (type === "fdAT") controls.at(-1)?.data.push(body.subarray(4));
    else if (!hasData && type !== "IHDR" && type !== "acTL") shared.push(chunk(type, body));
  }
  const frames = controls
    .filter(({ data }) => data.length > 0)
    .map(({ data, ...control }) => ({ ...control, png: pngOf(header, control, shared, data) }));
  if (frames.length === 0) throw damaged();
  return { width, height, frames };
}

function* chunksOf(file: Buffer): Generator<[type: string, body: Buffer]> {
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) return;
    yield [file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + length)];
    at += 12 + length;
  }
}

function controlOf(body: Buffer, canvasWidth: number, canvasHeight: number): Omit<ApngFrame, "png"> {
  if (body.length < 26) throw damaged();
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => body.readUInt32BE(at));
  if (!width || !height || x === undefined || y === undefined) throw damaged();
  if (x + width > canvasWidth || y + height > canvasHeight) throw damaged();
  return { x, y, width, height, disposal: body[24] ?? 0, isLaidOver: body[25] === 1 };
}

function pngOf(header: Buffer, size: { width: number; height: number }, shared: Buffer[], data: Buffer[]): Buffer {
  const own = Buffer.from(header);
  own.writeUInt32BE(size.width, 0);
  own.writeUInt32BE(size.height, 4);
  const pixels = data.map((part) => chunk("IDAT", part));
  return Buffer.concat([signature, chunk("IHDR", own), ...shared, ...pixels, chunk("IEND", Buffer.alloc(0))]);
}

// The whole canvas, four bytes per pixel, updated from frame to frame.
export class ApngCanvas {
  readonly pixels: Buffer;
  readonly #width: number;
  #before: Buffer | null = null;
  #last: ApngFrame | null = null;

  constructor({ width, height }: Pick<Apng, "width" | "height">) {
    this.#width = width;
    this.pixels = Buffer.alloc(width * height * 4);
  }

  show(frame: ApngFrame, pixels: Uint8Array): void {
    this.#dispose();
    const isFirst = this.#before === null;
    this.#before = Buffer.from(this.pixels);
    this.#last = isFirst && frame.disposal === 2 ? { ...frame, disposal: 1 } : frame;
    const isLaidOver = frame.isLaidOver && !isFirst;
    for (let y = 0; y < frame.height; y++) {
      let to = ((frame.y + y) * this.#width + frame.x) * 4;
      let from = y * frame.width * 4;
      for (let x = 0; x < frame.width; x++, to += 4, from += 4) {
        const alpha = isLaidOver ? (pixels[from + 3] ?? 0) : 255;
        for (let channel = 0; channel < 4; channel++) {
          this.pixels[to + channel] = mixed(this.pixels[to + channel] ?? 0, pixels[from + channel] ?? 0, alpha);
        }
      }
    }
  }

  // 0 keeps it; 1 clears its area to transparent; 2 restores what was there before.
  #dispose(): void {
    const { disposal = 0, x = 0, y = 0, width = 0, height = 0 } = this.#last ?? {};
    if (disposal === 0) return;
    for (let row = y; row < y + height; row++) {
      const [start, end] = [(row * this.#width + x) * 4, (row * this.#width + x + width) * 4];
      if (disposal === 2 && this.#before) this.#before.copy(this.pixels, start, start, end);
      else this.pixels.fill(0, start, end);
    }
  }
}

function mixed(below: number, above: number, alpha: number): number {
  const sum = below * (255 - alpha) + above * alpha + 128;
  return ((sum >> 8) + sum) >> 8;
}

// Decodes a PNG small enough to draw in a terminal: 8 bits, not interlaced, grey, RGB or RGBA, which is what servers make.
// Returns null for any other picture, which is then simply not drawn.

export interface Pixels {
  readonly width: number;
  readonly height: number;
  // Three bytes per pixel, rows from the top; transparency is blended onto black.
  readonly rgb: Uint8Array;
}

const signature = "89504e470d0a1a0a";
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
const pixelsMax = 64 * 1024 * 1024;

export function pngPixels(bytes: Uint8Array): Pixels | null {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (png.length < 33 || png.toString("hex", 0, 8) !== signature) return null;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = channelsOf[png[25] ?? 3];
  const isPlain = png[24] === 8 && png[28] === 0;
  if (!isPlain || channels === undefined || width * height === 0 || width * height > pixelsMax) return null;
  const size = (width * channels + 1) * height;
  // Loaded here, because every run loads this module and few draw a picture.
  const { inflateSync } = process.getBuiltinModule("node:zlib");
  try {
    const raw = inflateSync(Buffer.concat(dataOf(png)), { maxOutputLength: size });
    return raw.length === size
      ? { width, height, rgb: toRgb(unfiltered(raw, width * channels, channels), channels) }
      : null;
  } catch {
    return null;
  }
}

function dataOf(png: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") pieces.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return pieces;
}

// Each row says how it was predicted: from the pixel to the left, above, or diagonally between them.
function unfiltered(raw: Buffer, rowBytes: number, channels: number): Buffer {
  const rows = raw.length / (rowBytes + 1);
  const out = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const filter = raw[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column >= channels ? (out[at - channels] ?? 0) : 0;
      const up = row > 0 ? (out[at - rowBytes] ?? 0) : 0;
      const corner = row > 0 && column >= channels ? (out[at - rowBytes - channels] ?? 0) : 0;
      out[at] = (raw[row * (rowBytes + 1) + 1 + column] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function toRgb(samples: Buffer, channels: number): Uint8Array {
  const isGrey = channels < 3;
  const rgb = new Uint8Array((samples.length / channels) * 3);
  for (let from = 0, to = 0; from < samples.length; from += channels, to += 3) {
    const alpha = channels % 2 === 0 ? (samples[from + channels - 1] ?? 255) / 255 : 1;
    for (let part = 0; part < 3; part++) rgb[to + part] = (samples[from + (isGrey ? 0 : part)] ?? 0) * alpha;
  }
  return rgb;
}

// BMP files: palettes of 1, 4 and 8 bits (also run-length encoded), 16, 24 and 32 bits. The caller checks the size in the header
// before anything is unpacked.
import { NodeError } from "../execution/node-error.ts";

interface BmpHead {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly compression: number;
  readonly hasAlpha: boolean;
  readonly masks: readonly number[];
  readonly palette: Buffer;
  readonly paletteStep: 3 | 4;
  readonly pixelsAt: number;
}

const damaged = () => new NodeError("The file is damaged, or is a kind of BMP that is not supported.");
const [runs8, runs4, fields] = [1, 2, 3];

export function readBmpHead(file: Buffer): BmpHead {
  if (file.length < 26) throw damaged();
  const headBytes = file.readUInt32LE(14);
  const isOld = headBytes === 12;
  if (!isOld && (headBytes < 40 || file.length < 14 + headBytes)) throw damaged();
  const [width, rows] = isOld
    ? [file.readUInt16LE(18), file.readUInt16LE(20)]
    : [file.readInt32LE(18), file.readInt32LE(22)];
  const bits = file.readUInt16LE(isOld ? 24 : 28);
  const compression = isOld ? 0 : file.readUInt32LE(30);
  const isKnown =
    (compression === 0 && [1, 4, 8, 16, 24, 32].includes(bits)) ||
    (compression === runs8 && bits === 8) ||
    (compression === runs4 && bits === 4) ||
    (compression === fields && (bits === 16 || bits === 32));
  if (!isKnown || width < 1 || rows === 0) throw damaged();
  const masksAt = 54;
  const hasOwnMasks = compression === fields && headBytes < 52;
  const masks = compression === fields ? readMasks(file, masksAt, headBytes) : bits === 16 ? defaultMasks : [];
  const paletteStep = isOld ? 3 : 4;
  const paletteAt = 14 + headBytes + (hasOwnMasks ? 12 : 0);
  const declared = isOld ? 0 : file.readUInt32LE(46);
  const colours = bits > 8 ? 0 : Math.min(declared || 2 ** bits, 2 ** bits);
  return {
    width,
    height: Math.abs(rows),
    isTopDown: rows < 0,
    bits,
    compression,
    hasAlpha: bits === 32 && (masks[3] ?? 0) !== 0,
    masks,
    palette: file.subarray(paletteAt, paletteAt + colours * paletteStep),
    paletteStep,
    pixelsAt: file.readUInt32LE(10),
  };
}

const defaultMasks = [0x7c00, 0x3e0, 0x1f, 0];

function readMasks(file: Buffer, at: number, headBytes: number): number[] {
  if (file.length < at + 16) throw damaged();
  const count = headBytes >= 56 ? 4 : 3;
  return Array.from({ length: 4 }, (_, index) => (index < count ? file.readUInt32LE(at + index * 4) : 0));
}

// Red, green, blue and, if present, alpha.
export function readBmpPixels(file: Buffer, head: BmpHead): Uint8Array {
  const channels = head.hasAlpha ? 4 : 3;
  const out = new Uint8Array(head.width * head.height * channels);
  const indexes = head.bits <= 8 ? indexesOf(file, head) : null;
  const rowBytes = Math.ceil((head.width * head.bits) / 32) * 4;
  for (let y = 0; y < head.height; y++) {
    const row = head.isTopDown ? y : head.height - 1 - y;
    for (let x = 0; x < head.width; x++) {
      const to = (y * head.width + x) * channels;
      if (indexes) paint(out, to, head, indexes[row * head.width + x] ?? 0);
      else copy(out, to, file, head, head.pixelsAt + row * rowBytes + x * (head.bits / 8));
    }
  }
  return out;
}

function paint(out: Uint8Array, to: number, { palette, paletteStep }: BmpHead, index: number): void {
  for (let channel = 0; channel < 3; channel++) out[to + channel] = palette[index * paletteStep + 2 - channel] ?? 0;
}

function copy(out: Uint8Array, to: number, file: Buffer, head: BmpHead, from: number): void {
  const bytes = head.bits / 8;
  if (from + bytes > file.length) return;
  if (head.masks.length === 0) {
    for (let channel = 0; channel < 3; channel++) out[to + channel] = file[from + 2 - channel] ?? 0;
    return;
  }
  const value = file.readUIntLE(from, bytes);
  for (let channel = 0; channel < (head.hasAlpha ? 4 : 3); channel++) {
    out[to + channel] = partOf(value, head.masks[channel] ?? 0);
  }
}

// Scaled to 256 levels, truncated.
function partOf(value: number, mask: number): number {
  if (mask === 0) return 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return Math.floor(((((value & mask) >>> shift) >>> 0) * 255) / most);
}

function indexesOf(file: Buffer, head: BmpHead): Uint8Array {
  if (head.compression !== 0) return unpackRuns(file, head);
  const { width, height, bits } = head;
  const out = new Uint8Array(width * height);
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  for (let row = 0; row < height; row++) {
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      const byte = file[head.pixelsAt + row * rowBytes + (bit >> 3)] ?? 0;
      out[row * width + x] = (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
    }
  }
  return out;
}

function unpackRuns(file: Buffer, { width, height, bits, pixelsAt }: BmpHead): Uint8Array {
  const out = new Uint8Array(width * height);
  const valueAt = (bytesAt: number, index: number) => {
    if (bits === 8) return file[bytesAt + index] ?? 0;
    const byte = file[bytesAt + (index >> 1)] ?? 0;
    return index % 2 === 0 ? byte >> 4 : byte & 15;
  };
  let [x, row, at] = [0, 0, pixelsAt];
  const put = (value: number) => {
    if (x < width && row < height) out[row * width + x] = value;
    x += 1;
  };
  while (at + 2 <= file.length && row < height) {
    const [count = 0, second = 0] = file.subarray(at, at + 2);
    at += 2;
    if (count > 0) for (let index = 0; index < count; index++) put(valueAt(at - 1, bits === 8 ? 0 : index % 2));
    else if (second === 0) [x, row] = [0, row + 1];
    else if (second === 1) break;
    else if (second === 2) {
      x += file[at] ?? 0;
      row += file[at + 1] ?? 0;
      at += 2;
    } else {
      for (let index = 0; index < second; index++) put(valueAt(at, index));
      const bytes = bits === 8 ? second : Math.ceil(second / 2);
      at += bytes + (bytes % 2);
    }
  }
  return out;
}

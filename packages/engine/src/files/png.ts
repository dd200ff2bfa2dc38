// Writes PNG: we filter and deflate the rows ourselves, so that the graph can be embedded as text and animations are possible;
// the codec offers neither. Levels as in the application: 4 for results, 1 for previews.
import { promisify } from "node:util";
import { constants, crc32, deflate, deflateSync } from "node:zlib";

const deflateAsync = promisify(deflate);
export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

interface PngPicture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  // One frame after the other.
  readonly frames: readonly Uint8Array[];
}

interface PngOptions {
  readonly compressionLevel: number;
  // Keyword → text. In an animation they come last, in a chunk specific to the application.
  readonly texts?: ReadonlyMap<string, string>;
  readonly frameMilliseconds?: number;
}

export async function encodePng(picture: PngPicture, options: PngOptions): Promise<Buffer> {
  const isAnimated = picture.frames.length > 1;
  const chunks = [signature, header(picture)];
  if (!isAnimated) for (const [keyword, text] of options.texts ?? []) chunks.push(textChunk(keyword, text));
  if (isAnimated) chunks.push(animationControl(picture.frames.length));
  let sequence = 0;
  for (const [index, frame] of picture.frames.entries()) {
    const packed = await packRows(filtered(frame, picture.width * picture.channels, picture), options.compressionLevel);
    if (isAnimated) chunks.push(frameControl(sequence++, picture, options.frameMilliseconds ?? 100));
    chunks.push(index === 0 ? chunk("IDAT", packed) : chunk("fdAT", Buffer.concat([numbers(sequence++), packed])));
  }
  if (isAnimated) {
    for (const [keyword, text] of options.texts ?? []) {
      chunks.push(chunk("comf", Buffer.concat([Buffer.from(`${keyword}\0`, "latin1"), latin1(text)])));
    }
  }
  chunks.push(chunk("IEND", Buffer.alloc(0)));
  return Buffer.concat(chunks);
}

const sampleBytes = 48 * 1024;

// Photographs hardly repeat except in runs: searching for more takes three times as long and finds nothing. We test a part from
// the middle, and skip the search only if runs alone compress it as well, and only at the levels that ask for speed.
async function packRows(rows: Buffer, level: number): Promise<Buffer> {
  const chunkSize = Math.min(Math.max(rows.length >> 1, 65_536), 4 * 1024 ** 2);
  const start = Math.max(0, (rows.length - sampleBytes) >> 1);
  const sample = rows.subarray(start, start + sampleBytes);
  const size = (strategy: number) => deflateSync(sample, { level, strategy, chunkSize: sampleBytes }).length;
  const isRuns =
    level > 0 && level <= 4 && rows.length > sampleBytes && size(constants.Z_RLE) <= size(constants.Z_DEFAULT_STRATEGY);
  const strategy = isRuns ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
  return deflateAsync(rows, { level, strategy, chunkSize });
}

function header({ width, height, channels }: PngPicture): Buffer {
  return chunk("IHDR", Buffer.concat([numbers(width, height), Buffer.from([8, colourTypes[channels], 0, 0, 0])]));
}

function animationControl(frames: number): Buffer {
  return chunk("acTL", numbers(frames, 0));
}

function frameControl(sequence: number, { width, height }: PngPicture, milliseconds: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(Math.min(Math.max(milliseconds, 0), 65535), 0);
  delay.writeUInt16BE(1000, 2);
  return chunk("fcTL", Buffer.concat([numbers(sequence, width, height, 0, 0), delay]));
}

// The format requires Latin-1; anything else is escaped, which JSON allows.
function latin1(text: string): Buffer {
  const escaped = text.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return Buffer.from(escaped, "latin1");
}

function textChunk(keyword: string, text: string): Buffer {
  return chunk("tEXt", Buffer.concat([Buffer.from(`${keyword}\0`, "latin1"), latin1(text)]));
}

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    buffer.writeUInt32BE(value >>> 0, index * 4);
  });
  return buffer;
}

// Each row is stored as its difference from the row above (filter 2): cheap, and good enough for most pictures.
function filtered(frame: Uint8Array, rowLength: number, { height }: PngPicture): Buffer {
  const out = Buffer.allocUnsafe((rowLength + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (rowLength + 1) + 1;
    const from = y * rowLength;
    out[to - 1] = y === 0 ? 0 : 2;
    if (y === 0) out.set(frame.subarray(0, rowLength), to);
    else for (let x = 0; x < rowLength; x++) out[to + x] = (frame[from + x] ?? 0) - (frame[from - rowLength + x] ?? 0);
  }
  return out;
}

// Writes 16-bit FLAC: silence as one number per block, everything else verbatim. Lossless and readable everywhere; smaller files
// would need a real encoder.
import { createHash } from "node:crypto";
import { roundHalfEven, type Sound } from "../pictures/picture.ts";

const blockSamples = 4096;
const bitsPerSample = 16;

// One sound of the batch.
export function encodeFlac(sound: Sound, index: number, texts: ReadonlyMap<string, string>): Buffer {
  const samples = interleaved(sound, index);
  const md5 = createHash("md5")
    .update(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
    .digest();
  const parts = [Buffer.from("fLaC"), block(0, streamInfo(sound, md5), false), block(4, comments(texts), true)];
  for (let start = 0, number = 0; start < sound.length; start += blockSamples, number++) {
    parts.push(frame(samples, sound.channels, start, Math.min(blockSamples, sound.length - start), number));
  }
  return Buffer.concat(parts);
}

function interleaved(sound: Sound, index: number): Int16Array {
  const { channels, length, data } = sound;
  const out = new Int16Array(channels * length);
  for (let channel = 0; channel < channels; channel++) {
    const start = (index * channels + channel) * length;
    for (let at = 0; at < length; at++) {
      // Times 32,768, because reading divides by that: samples from 16 bits return to the same values.
      const value = roundHalfEven((data[start + at] ?? 0) * 32768);
      out[at * channels + channel] = Math.min(Math.max(value, -32768), 32767);
    }
  }
  return out;
}

function block(type: number, body: Buffer, isLast: boolean): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(((isLast ? 0x80 : 0) + type) * 2 ** 24 + body.length);
  return Buffer.concat([head, body]);
}

function streamInfo({ sampleRate, channels, length }: Sound, md5: Buffer): Buffer {
  const info = Buffer.alloc(18);
  info.writeUInt16BE(blockSamples, 0);
  info.writeUInt16BE(blockSamples, 2);
  const packed =
    (BigInt(sampleRate) << 44n) |
    (BigInt(channels - 1) << 41n) |
    (BigInt(bitsPerSample - 1) << 36n) |
    BigInt.asUintN(36, BigInt(length));
  info.writeBigUInt64BE(packed, 10);
  return Buffer.concat([info, md5]);
}

function comments(texts: ReadonlyMap<string, string>): Buffer {
  const entry = (text: string) => {
    const body = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(body.length);
    return Buffer.concat([length, body]);
  };
  const count = Buffer.alloc(4);
  count.writeUInt32LE(texts.size);
  return Buffer.concat([entry("Atelier"), count, ...Array.from(texts, ([name, text]) => entry(`${name}=${text}`))]);
}

function frame(samples: Int16Array, channels: number, start: number, count: number, number: number): Buffer {
  const isWhole = count === blockSamples;
  const head = [0xff, 0xf8, (isWhole ? 0xc0 : 0x70) | 0, ((channels - 1) << 4) | 0x08, ...utf8Number(number)];
  if (!isWhole) head.push((count - 1) >> 8, (count - 1) & 255);
  head.push(crc8(head));
  const body: Buffer[] = [Buffer.from(head)];
  for (let channel = 0; channel < channels; channel++) body.push(subframe(samples, channels, channel, start, count));
  const whole = Buffer.concat(body);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crc16(whole));
  return Buffer.concat([whole, check]);
}

function subframe(samples: Int16Array, channels: number, channel: number, start: number, count: number): Buffer {
  const at = (index: number) => samples[(start + index) * channels + channel] ?? 0;
  let isConstant = true;
  for (let index = 1; index < count && isConstant; index++) isConstant = at(index) === at(0);
  const out = Buffer.alloc(1 + 2 * (isConstant ? 1 : count));
  out[0] = isConstant ? 0 : 2;
  for (let index = 0; index < (isConstant ? 1 : count); index++) out.writeInt16BE(at(index), 1 + index * 2);
  return out;
}

// Frame numbers are encoded like UTF-8 characters, up to 36 bits.
function utf8Number(value: number): number[] {
  if (value < 0x80) return [value];
  const tail: number[] = [];
  let rest = value;
  let room = 0x20;
  do {
    tail.unshift(0x80 | (rest & 0x3f));
    rest = Math.floor(rest / 64);
    room = tail.length === 1 ? 0x20 : room >> 1;
  } while (rest >= room);
  return [(0xff & ~(room * 2 - 1)) | rest, ...tail];
}

function crc8(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 255 : (crc << 1) & 255;
  }
  return crc;
}

const crc16Table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
  return crc & 0xffff;
});

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (crc16Table[(crc >> 8) ^ byte] ?? 0);
  return crc;
}

// WAV files: integers of 8 to 32 bits and 32-bit floats. Sizes are checked before anything is allocated.
import { NodeError } from "../execution/node-error.ts";
import type { Sound } from "../pictures/picture.ts";

interface Format {
  readonly isFloat: boolean;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bytes: number;
}

export function decodeWav(file: Buffer, floats: (count: number) => Float32Array): Sound {
  if (file.length < 12 || file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") {
    throw new NodeError("The file is not a sound in a supported format.");
  }
  let format: Format | null = null;
  for (let at = 12; at + 8 <= file.length; ) {
    const type = file.toString("latin1", at, at + 4);
    const length = Math.min(file.readUInt32LE(at + 4), file.length - at - 8);
    if (type === "fmt ") format = readFormat(file.subarray(at + 8, at + 8 + length));
    if (type === "data" && format) return readSamples(file.subarray(at + 8, at + 8 + length), format, floats);
    at += 8 + length + (length % 2);
  }
  throw damaged();
}

function readFormat(chunk: Buffer): Format {
  if (chunk.length < 16) throw damaged();
  const isExtended = chunk.readUInt16LE(0) === 0xfffe && chunk.length >= 26;
  const code = isExtended ? chunk.readUInt16LE(24) : chunk.readUInt16LE(0);
  const [channels, sampleRate, bits] = [chunk.readUInt16LE(2), chunk.readUInt32LE(4), chunk.readUInt16LE(14)];
  const isKnown = (code === 1 && [8, 16, 24, 32].includes(bits)) || (code === 3 && bits === 32);
  if (!isKnown || channels < 1 || channels > 16 || sampleRate < 1) throw damaged();
  return { isFloat: code === 3, channels, sampleRate, bytes: bits / 8 };
}

function readSamples(chunk: Buffer, format: Format, floats: (count: number) => Float32Array): Sound {
  const { channels, sampleRate, bytes, isFloat } = format;
  const length = Math.floor(chunk.length / (channels * bytes));
  const data = floats(channels * length);
  for (let at = 0; at < length; at++) {
    for (let channel = 0; channel < channels; channel++) {
      const from = (at * channels + channel) * bytes;
      data[channel * length + at] = isFloat ? chunk.readFloatLE(from) : whole(chunk, from, bytes);
    }
  }
  return { kind: "audio", batch: 1, channels, length, sampleRate, data };
}

function whole(chunk: Buffer, from: number, bytes: number): number {
  if (bytes === 1) return (chunk.readUInt8(from) - 128) / 128;
  return chunk.readIntLE(from, bytes) / 2 ** (bytes * 8 - 1);
}

function damaged(): NodeError {
  return new NodeError("The file is damaged, or is a kind of WAV that is not supported.");
}

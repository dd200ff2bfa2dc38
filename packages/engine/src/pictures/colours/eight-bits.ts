// Converts between floats and bytes. Saving multiplies by 255 in 32 bits, clips and truncates, without rounding; loading divides
// by 255. Every byte survives the round trip.
import { kernelWork } from "../../kernels/kernels.ts";

// This many at a time, so that both sides stay in the processor's cache.
const partLength = 16_384;

export function toBytes(floats: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(floats.length);
  const { kernels, buffer } = kernelWork(partLength * 5);
  const from = new Float32Array(buffer, 0, partLength);
  const to = new Uint8Array(buffer, partLength * 4, partLength);
  for (let at = 0; at < floats.length; at += partLength) {
    const length = Math.min(partLength, floats.length - at);
    from.set(floats.subarray(at, at + length));
    kernels.floatsToBytes(partLength * 4, 0, length * 4);
    bytes.set(length === partLength ? to : to.subarray(0, length), at);
  }
  return bytes;
}

// One class converts without clipping: values out of range wrap around.
export function wrappedBytes(floats: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(floats.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.fround((floats[at] ?? 0) * 255);
  return bytes;
}

export function byteOf(value: number): number {
  const scaled = Math.fround(Math.fround(value) * 255);
  return scaled >= 255 ? 255 : scaled > 0 ? scaled | 0 : 0;
}

const fractions = Float32Array.from({ length: 256 }, (_, level) => level / 255);

export function fromBytes(bytes: Uint8Array, floats: Float32Array): void {
  const { kernels, buffer } = kernelWork(partLength * 5);
  const from = new Uint8Array(buffer, partLength * 4, partLength);
  const to = new Float32Array(buffer, 0, partLength);
  for (let at = 0; at < floats.length; at += partLength) {
    const length = Math.min(partLength, floats.length - at);
    from.set(bytes.subarray(at, at + length));
    kernels.bytesToFloats(0, partLength * 4, partLength * 4 + length);
    floats.set(length === partLength ? to : to.subarray(0, length), at);
  }
}

export function toFraction(level: number): number {
  return fractions[level] ?? 0;
}

// 16-bit levels, truncated, low byte first.
export function toWords(data: Float32Array): Uint8Array {
  const out = new DataView(new ArrayBuffer(data.length * 2));
  for (let at = 0; at < data.length; at++) {
    const level = Math.fround((data[at] ?? 0) * 65_535);
    out.setUint16(at * 2, Math.min(65_535, Math.max(0, Math.trunc(level))), true);
  }
  return new Uint8Array(out.buffer);
}

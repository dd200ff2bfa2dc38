// Between floats and bytes. Saving multiplies by 255, clips and cuts off, it does not round; loading divides by 255; every
// byte survives the way there and back.
export function toBytes(floats: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(floats.length);
  for (let at = 0; at < floats.length; at++) bytes[at] = byteOf(floats[at] ?? 0);
  return bytes;
}

export function byteOf(value: number): number {
  const scaled = Math.fround(value) * 255;
  return scaled >= 255 ? 255 : scaled > 0 ? scaled | 0 : 0;
}

const fractions = Float32Array.from({ length: 256 }, (_, level) => level / 255);

export function fromBytes(bytes: Uint8Array, floats: Float32Array): void {
  for (let at = 0; at < floats.length; at++) floats[at] = fractions[bytes[at] ?? 0] ?? 0;
}

export function fractionOf(level: number): number {
  return fractions[level] ?? 0;
}

// How often each colour occurs, in order of first appearance. We use our own hash table: a Map of a million numbers takes ten
// times as long.
export interface CountedColours {
  // Red, green and blue in 24 bits.
  readonly keys: Int32Array;
  readonly counts: Int32Array;
}

export function countColours(pixels: Uint8Array): CountedColours {
  const most = Math.floor(pixels.length / 3);
  const bits = Math.max(4, Math.ceil(Math.log2(Math.min(most, 2 ** 24) * 2 + 1)));
  const mask = 2 ** bits - 1;
  // The colour's number plus one; 0 if free.
  const table = new Int32Array(2 ** bits);
  const keys = new Int32Array(Math.min(most, 2 ** 24));
  const counts = new Int32Array(keys.length);
  let found = 0;
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const key = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
    let position = Math.imul(key, 0x9e3779b1) >>> (32 - bits);
    for (;;) {
      const number = table[position] ?? 0;
      if (number === 0) {
        keys[found] = key;
        counts[found] = 1;
        found += 1;
        table[position] = found;
        break;
      }
      if (keys[number - 1] === key) {
        counts[number - 1] = (counts[number - 1] ?? 0) + 1;
        break;
      }
      position = (position + 1) & mask;
    }
  }
  return { keys: keys.subarray(0, found), counts: counts.subarray(0, found) };
}

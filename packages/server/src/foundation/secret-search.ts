// Finds many secrets in one pass over the bytes. The first four bytes of every form are looked up in a small bitmap, and forms
// are compared only if it says "maybe". Every match counts, even inside another one: overlapping matches are masked as a whole.
import type { SecretForm } from "./redaction.ts";

// Start, and the first byte after the match.
export type Found = readonly [number, number];

export interface SecretSearch {
  // Sorted by start. Matches may overlap.
  find(bytes: Uint8Array): Found[];
}

const bitsPerForm = 64;
const prefixBytes = 4;

export function secretSearch(forms: readonly SecretForm[]): SecretSearch {
  const byPrefix = new Map<number, Buffer[]>();
  const bitCount = Math.max(1024, 2 ** Math.ceil(Math.log2(Math.max(1, forms.length) * bitsPerForm)));
  const bits = new Uint32Array(bitCount / 32);
  const mask = bitCount - 1;
  for (const { bytes } of forms) {
    if (bytes.byteLength < prefixBytes) continue;
    const prefix = bytes.readInt32LE(0);
    const same = byPrefix.get(prefix) ?? [];
    // Compare the longest first.
    byPrefix.set(
      prefix,
      [...same, bytes].sort((one, other) => other.byteLength - one.byteLength),
    );
    const bit = spread(prefix) & mask;
    bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  function longestAt(bytes: Uint8Array, at: number, prefix: number): number {
    for (const form of byPrefix.get(prefix) ?? []) if (isAt(bytes, at, form)) return form.byteLength;
    return 0;
  }

  return {
    find(bytes) {
      const found: Found[] = [];
      if (byPrefix.size === 0 || bytes.byteLength < prefixBytes) return found;
      // Four bytes, with the newest on top, in memory order.
      let prefix = ((bytes[0] ?? 0) << 8) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 24);
      for (let end = prefixBytes; end <= bytes.byteLength; end++) {
        prefix = (prefix >>> 8) | ((bytes[end - 1] ?? 0) << 24);
        const bit = spread(prefix) & mask;
        if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue;
        const at = end - prefixBytes;
        const length = longestAt(bytes, at, prefix);
        if (length > 0) found.push([at, at + length]);
      }
      return found;
    },
  };
}

function spread(prefix: number): number {
  const mixed = Math.imul(prefix, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function isAt(bytes: Uint8Array, at: number, form: Uint8Array): boolean {
  if (at + form.byteLength > bytes.byteLength) return false;
  for (let index = prefixBytes; index < form.byteLength; index++) if (bytes[at + index] !== form[index]) return false;
  return true;
}

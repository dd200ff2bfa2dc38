// The text inside the strings of a JSON document, unescaped, with the position that each byte came from. Strings are separated
// by a byte that no text contains, and everything outside them is left out. So a match found here can be masked in the
// document, which stays valid JSON.
export interface JsonTextBytes {
  readonly bytes: Buffer;
  // For each byte: where its character begins and ends in the document.
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const quote = 0x22;
const backslash = 0x5c;
const between = 0xff;
const letterU = 0x75;

const short: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, f: 12, r: 13 };

export function jsonTextBytes(document: Buffer): JsonTextBytes {
  const size = document.byteLength;
  const bytes = Buffer.allocUnsafe(size);
  const starts = new Uint32Array(size);
  const ends = new Uint32Array(size);
  let length = 0;
  const put = (byte: number, from: number, to: number) => {
    bytes[length] = byte;
    starts[length] = from;
    ends[length] = to;
    length += 1;
  };
  let isInside = false;
  for (let at = 0; at < size; ) {
    const byte = document[at] ?? 0;
    let next = at + 1;
    if (byte === quote) {
      put(between, at, next);
      isInside = !isInside;
    } else if (isInside && byte === backslash) {
      const read = escaped(document, at);
      next = read.next;
      for (const one of read.bytes) put(one, at, next);
    } else if (isInside) put(byte, at, next);
    at = next;
  }
  return { bytes: bytes.subarray(0, length), starts, ends };
}

// Never longer than its escape: a \u escape takes six bytes and yields at most three, a surrogate pair takes twelve and yields
// four.
function escaped(document: Buffer, at: number): { readonly bytes: Iterable<number>; readonly next: number } {
  const kind = document[at + 1] ?? 0;
  if (kind !== letterU) {
    const letter = String.fromCharCode(kind);
    return { bytes: [short[letter] ?? kind], next: Math.min(at + 2, document.byteLength) };
  }
  const unit = unitAt(document, at);
  if (unit === null) return { bytes: [kind], next: at + 2 };
  const low = unit >= 0xd800 && unit < 0xdc00 ? unitAt(document, at + 6) : null;
  return low !== null && low >= 0xdc00 && low < 0xe000
    ? { bytes: Buffer.from(String.fromCharCode(unit, low)), next: at + 12 }
    : { bytes: Buffer.from(String.fromCharCode(unit)), next: at + 6 };
}

function unitAt(document: Buffer, at: number): number | null {
  if (document[at] !== backslash || document[at + 1] !== letterU) return null;
  const digits = document.toString("latin1", at + 2, at + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}

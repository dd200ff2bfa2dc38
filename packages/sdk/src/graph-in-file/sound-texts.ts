// Texts in sounds: Vorbis comments in FLAC and Ogg (Vorbis and Opus), and user-defined frames of ID3 in MP3.
import {
  type ByteSource,
  type FoundTexts,
  latin1,
  piecesMax,
  textBytesMax,
  utf8,
  viewOf,
  wordAt,
} from "./byte-source.ts";

const commentBlock = 4;

export async function flacInto(source: ByteSource, found: FoundTexts, start = 4): Promise<void> {
  let at = start;
  for (let count = 0; count < piecesMax; count += 1) {
    const head = await source.read(at, 4);
    if (head.length < 4) return;
    const [kind = 0, high = 0, middle = 0, low = 0] = head;
    const length = (high << 16) | (middle << 8) | low;
    if ((kind & 0x7f) === commentBlock && length <= textBytesMax)
      commentsInto(await source.read(at + 4, length), found);
    if ((kind & 0x80) !== 0) return;
    at += 4 + length;
  }
}

// A vendor string, then `name=text` entries, each preceded by its length.
function commentsInto(bytes: Uint8Array, found: FoundTexts): void {
  const view = viewOf(bytes);
  const lengthAt = (at: number) => (at + 4 <= bytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY);
  let at = 4 + lengthAt(0);
  if (at + 4 > bytes.length) return;
  const count = lengthAt(at);
  at += 4;
  for (let index = 0; index < count; index += 1) {
    const end = at + 4 + lengthAt(at);
    if (end > bytes.length) return;
    const text = utf8(bytes.subarray(at + 4, end));
    const equals = text.indexOf("=");
    if (equals > 0) found.add(text.slice(0, equals), text.slice(equals + 1));
    at = end;
  }
}

// The stream's second packet holds the comments; it may span many pages.
export async function oggInto(source: ByteSource, found: FoundTexts): Promise<void> {
  let at = 0;
  let packet = 0;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let count = 0; count < piecesMax && packet < 2; count += 1) {
    const head = await source.read(at, 27);
    if (head.length < 27 || wordAt(head, 0) !== "OggS") return;
    const laces = await source.read(at + 27, head[26] ?? 0);
    at += 27 + laces.length;
    for (const lace of laces) {
      if (packet === 1 && lace > 0) {
        parts.push(await source.read(at, lace));
        length += lace;
      }
      at += lace;
      if (lace < 255) packet += 1;
      if (packet === 2 || length > textBytesMax) break;
    }
    if (length > textBytesMax) return;
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  if (wordAt(whole, 0, 8) === "OpusTags") commentsInto(whole.subarray(8), found);
  else if (wordAt(whole, 1, 6) === "vorbis") commentsInto(whole.subarray(7), found);
}

// Returns the offset where the audio begins.
export async function id3Into(source: ByteSource, found: FoundTexts): Promise<number> {
  const head = await source.read(0, 10);
  const [version = 0, flags = 0] = [head[3], head[5]];
  const size = spread(head, 6);
  if (head.length < 10 || size > textBytesMax) return 10 + size;
  const read = await source.read(10, size);
  const bytes = version < 4 && (flags & 0x80) !== 0 ? withoutStuffing(read) : read;
  let at = 0;
  while (at + 10 <= bytes.length && bytes[at] !== 0) {
    const length = version >= 4 ? spread(bytes, at + 4) : viewOf(bytes).getUint32(at + 4);
    if (at + 10 + length > bytes.length) break;
    if (wordAt(bytes, at) === "TXXX") namedText(bytes.subarray(at + 10, at + 10 + length), found);
    at += 10 + length;
  }
  return 10 + size;
}

// Four bytes of seven bits each.
function spread(bytes: Uint8Array, at: number): number {
  const [one = 0, two = 0, three = 0, four = 0] = bytes.subarray(at, at + 4);
  return (one & 0x7f) * 2 ** 21 + (two & 0x7f) * 2 ** 14 + (three & 0x7f) * 2 ** 7 + (four & 0x7f);
}

function withoutStuffing(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => !(byte === 0 && bytes[at - 1] === 0xff));
}

function namedText(bytes: Uint8Array, found: FoundTexts): void {
  const encoding = bytes[0] ?? 0;
  const text = decoded(encoding, bytes.subarray(1));
  const end = text.indexOf("\0");
  if (end > 0)
    found.add(
      text.slice(0, end),
      text
        .slice(end + 1)
        .replace(/^\uFEFF/, "")
        .replace(/\0+$/, ""),
    );
}

function decoded(encoding: number, bytes: Uint8Array): string {
  if (encoding === 0) return latin1(bytes);
  if (encoding === 3) return utf8(bytes);
  const isBig = encoding === 2 || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(isBig ? "utf-16be" : "utf-16le").decode(bytes);
}

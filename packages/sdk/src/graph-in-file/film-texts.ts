// Texts in videos: boxes of MP4 and QuickTime (a list of keys next to a list of values, or values that carry their names), and
// simple tags of WebM and Matroska.
import { type ByteSource, type FoundTexts, piecesMax, textBytesMax, utf8, viewOf, wordAt } from "./byte-source.ts";

interface Box {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const depthMax = 8;
const walkedInto = new Set(["moov", "udta", "meta", "ilst"]);

export async function mp4Into(source: ByteSource, found: FoundTexts): Promise<void> {
  let at = 0;
  for (let count = 0; count < piecesMax && at + 8 <= source.size; count += 1) {
    const head = await source.read(at, 16);
    const box = boxAt(head, 0, source.size - at);
    if (box === null) return;
    const length = box.end - box.start;
    if (box.kind === "moov" && length <= textBytesMax * 4) {
      boxesInto(await source.read(at + box.start, length), found, 0);
    }
    at += box.end;
  }
}

// Null if there is no box. A size of 1 means that a 64-bit size follows; 0 means the box takes the rest.
function boxAt(bytes: Uint8Array, at: number, rest: number): Box | null {
  if (at + 8 > bytes.length) return null;
  const view = viewOf(bytes);
  const short = view.getUint32(at);
  const isLong = short === 1;
  if (isLong && at + 16 > bytes.length) return null;
  const size = isLong ? view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12) : short === 0 ? rest : short;
  const header = isLong ? 16 : 8;
  return size < header ? null : { kind: wordAt(bytes, at + 4), start: at + header, end: at + size };
}

function boxesIn(bytes: Uint8Array): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (boxes.length < piecesMax) {
    const box = boxAt(bytes, at, bytes.length - at);
    if (box === null || box.end > bytes.length) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

function boxesInto(bytes: Uint8Array, found: FoundTexts, depth: number, keys: readonly string[] = []): void {
  if (depth > depthMax) return;
  const boxes = boxesIn(bytes);
  const listed = boxes.find(({ kind }) => kind === "keys");
  const names = listed ? keysIn(bytes.subarray(listed.start, listed.end)) : keys;
  for (const { kind, start, end } of boxes) {
    const inner = bytes.subarray(start, end);
    if (kind === "ilst") valuesInto(inner, names, found);
    // MP4 has four bytes before the boxes in `meta`; QuickTime has none.
    else if (kind === "meta")
      boxesInto(wordAt(inner, 4) === "hdlr" ? inner : inner.subarray(4), found, depth + 1, names);
    else if (walkedInto.has(kind)) boxesInto(inner, found, depth + 1, names);
  }
}

function keysIn(bytes: Uint8Array): string[] {
  const names: string[] = [];
  let at = 8;
  while (at + 8 <= bytes.length && names.length < piecesMax) {
    const size = viewOf(bytes).getUint32(at);
    if (size < 8 || at + size > bytes.length) break;
    names.push(utf8(bytes.subarray(at + 8, at + size)));
    at += size;
  }
  return names;
}

function valuesInto(bytes: Uint8Array, names: readonly string[], found: FoundTexts): void {
  for (const { start, end } of boxesIn(bytes)) {
    const inner = bytes.subarray(start, end);
    const parts = boxesIn(inner);
    const data = parts.find(({ kind }) => kind === "data");
    if (!data || data.end - data.start < 8) continue;
    const own = parts.find(({ kind }) => kind === "name");
    // A value's type is the number of its key, counted from 1.
    const number = viewOf(bytes).getUint32(start - 4);
    const name = own ? utf8(inner.subarray(own.start + 4, own.end)) : names[number - 1];
    if (name !== undefined) found.add(name, utf8(inner.subarray(data.start + 8, data.end)));
  }
}

const ids = { segment: 0x18538067, tags: 0x1254c367, tag: 0x7373, simpleTag: 0x67c8, name: 0x45a3, text: 0x4487 };

export async function webmInto(source: ByteSource, found: FoundTexts): Promise<void> {
  let at = 0;
  for (let count = 0; count < piecesMax && at < source.size; count += 1) {
    const element = elementAt(await source.read(at, 12), 0);
    if (element === null) return;
    const { id, start, length } = element;
    // The segment contains everything that follows.
    if (id === ids.segment) at += start;
    else {
      if (length === null) return;
      if (id === ids.tags && length <= textBytesMax * 2) tagsInto(await source.read(at + start, length), found, 0);
      at += start + length;
    }
  }
}

interface Element {
  readonly id: number;
  readonly start: number;
  // Null if the file does not say.
  readonly length: number | null;
}

function elementAt(bytes: Uint8Array, at: number): Element | null {
  const id = numberAt(bytes, at, true);
  const size = id === null ? null : numberAt(bytes, at + id.width, false);
  if (id === null || size === null) return null;
  const isUnknown = size.value === 2 ** (7 * size.width) - 1;
  return { id: id.value, start: at + id.width + size.width, length: isUnknown ? null : size.value };
}

// The leading zeros of the first byte give the width; an id keeps its marker bit.
function numberAt(bytes: Uint8Array, at: number, keepsMark: boolean): { value: number; width: number } | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const width = Math.clz32(first) - 23;
  if (at + width > bytes.length) return null;
  let value = keepsMark ? first : first & (0xff >> width);
  for (let index = 1; index < width; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return { value, width };
}

function tagsInto(bytes: Uint8Array, found: FoundTexts, depth: number): void {
  let at = 0;
  let name: string | null = null;
  for (let count = 0; count < piecesMax; count += 1) {
    const element = elementAt(bytes, at);
    if (element === null || element.length === null || element.start + element.length > bytes.length) return;
    const inner = bytes.subarray(element.start, element.start + element.length);
    if (element.id === ids.name) name = utf8(inner);
    else if (element.id === ids.text && name !== null) found.add(name, utf8(inner));
    else if ((element.id === ids.tag || element.id === ids.simpleTag) && depth < depthMax)
      tagsInto(inner, found, depth + 1);
    at = element.start + element.length;
  }
}

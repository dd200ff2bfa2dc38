// Texts in pictures. PNG has chunks for them; WebP and JPEG keep them in the EXIF tags for make and model, as `prompt:{…}` and
// `workflow:{…}`.
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

const pngTexts = new Set(["tEXt", "zTXt", "iTXt", "comf"]);

export async function pngInto(source: ByteSource, found: FoundTexts): Promise<void> {
  let at = 8;
  for (let count = 0; count < piecesMax && at + 8 <= source.size; count += 1) {
    const head = await source.read(at, 8);
    if (head.length < 8) return;
    const length = viewOf(head).getUint32(0);
    const kind = wordAt(head, 4);
    if (kind === "IEND") return;
    if (pngTexts.has(kind) && length <= textBytesMax) {
      await pngText(kind, await source.read(at + 8, length), found);
    }
    at += 12 + length;
  }
}

async function pngText(kind: string, bytes: Uint8Array, found: FoundTexts): Promise<void> {
  const end = bytes.indexOf(0);
  if (end < 1 || end > 79) return;
  const name = latin1(bytes.subarray(0, end));
  const rest = bytes.subarray(end + 1);
  // The application's animated pictures use a chunk type of their own with the same layout as tEXt.
  if (kind === "tEXt") found.add(name, latin1(rest));
  else if (kind === "comf") found.add(name, utf8(rest));
  else if (kind === "zTXt") found.add(name, latin1(await inflated(rest.subarray(1))));
  else {
    const [isPacked, languageEnd] = [rest[0] === 1, rest.indexOf(0, 2)];
    const translationEnd = languageEnd === -1 ? -1 : rest.indexOf(0, languageEnd + 1);
    if (translationEnd === -1) return;
    const text = rest.subarray(translationEnd + 1);
    found.add(name, utf8(isPacked ? await inflated(text) : text));
  }
}

// Returns nothing if the data is broken or unpacks to more than a text may have.
async function inflated(packed: Uint8Array): Promise<Uint8Array> {
  const reader = new Blob([new Uint8Array(packed)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"))
    .getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      length += next.value.length;
      if (length > textBytesMax) return new Uint8Array();
    }
  } catch {
    return new Uint8Array();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function webpInto(source: ByteSource, found: FoundTexts): Promise<void> {
  let at = 12;
  for (let count = 0; count < piecesMax && at + 8 <= source.size; count += 1) {
    const head = await source.read(at, 8);
    if (head.length < 8) return;
    const length = viewOf(head).getUint32(4, true);
    if (wordAt(head, 0) === "EXIF" && length <= textBytesMax) exifInto(await source.read(at + 8, length), found);
    at += 8 + length + (length % 2);
  }
}

export async function jpegInto(source: ByteSource, found: FoundTexts): Promise<void> {
  let at = 2;
  for (let count = 0; count < piecesMax; count += 1) {
    const head = await source.read(at, 4);
    const [first, marker] = head;
    // No segments follow once the image data begins.
    if (head.length < 4 || first !== 0xff || marker === 0xda || marker === 0xd9) return;
    const length = viewOf(head).getUint16(2);
    if (length < 2) return;
    if (marker === 0xe1) exifInto(await source.read(at + 4, length - 2), found);
    at += 2 + length;
  }
}

const asciiType = 2;

// Reads the first directory of a TIFF, with or without the Exif prefix.
function exifInto(given: Uint8Array, found: FoundTexts): void {
  const bytes = wordAt(given, 0, 4) === "Exif" ? given.subarray(6) : given;
  if (bytes.length < 14) return;
  const order = wordAt(bytes, 0, 2);
  if (order !== "II" && order !== "MM") return;
  const isLittle = order === "II";
  const view = viewOf(bytes);
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > bytes.length) return;
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > bytes.length) return;
    if (view.getUint16(entry + 2, isLittle) !== asciiType) continue;
    const length = view.getUint32(entry + 4, isLittle);
    const start = length <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle);
    if (start + length > bytes.length) continue;
    const text = utf8(bytes.subarray(start, start + length)).replace(/\0+$/, "");
    const match = /^(prompt|workflow):/i.exec(text);
    if (match?.[1]) found.add(match[1], text.slice(match[0].length));
  }
}

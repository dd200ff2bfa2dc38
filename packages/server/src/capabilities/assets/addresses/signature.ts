// Detects a file's type from its first bytes. It knows only formats that a browser may show or that people want to tell
// apart; anything else gets no type. A type is returned only if the whole signature is there.
import { isUtf8 } from "node:buffer";

// Enough bytes for every signature below, and to tell text from binary.
export const signatureBytes = 4096;

export function sniffType(head: Uint8Array): string | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, signatureBytes));
  for (const [type, at, signature] of signatures) if (hasAt(bytes, at, signature)) return type;
  return sniffContainer(bytes) ?? sniffAudioFrame(bytes);
}

// Valid UTF-8 without control characters that text never has. A character split by the cut is fine.
export function looksLikeText(head: Uint8Array): boolean {
  const text = head.byteLength > signatureBytes ? head.subarray(0, signatureBytes) : head;
  for (let cut = 0; cut <= Math.min(3, text.byteLength); cut++) {
    const part = text.subarray(0, text.byteLength - cut);
    if (cut > 0 && head.byteLength < signatureBytes) return false;
    if (isUtf8(part)) return !controlCharacter.test(utf8.decode(part));
  }
  return false;
}

const controlCharacter = /[^\P{Cc}\t\n\f\r]/u;
const utf8 = new TextDecoder();

const latin = (text: string): Buffer => Buffer.from(text, "latin1");

const signatures: readonly (readonly [type: string, at: number, signature: Buffer])[] = [
  ["image/png", 0, latin("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", 0, latin("\xff\xd8\xff")],
  ["image/gif", 0, latin("GIF87a")],
  ["image/gif", 0, latin("GIF89a")],
  ["image/tiff", 0, latin("II*\0")],
  ["image/tiff", 0, latin("MM\0*")],
  ["audio/flac", 0, latin("fLaC")],
  ["audio/mpeg", 0, latin("ID3")],
  ["application/pdf", 0, latin("%PDF-")],
  ["application/zip", 0, latin("PK\x03\x04")],
  ["application/gzip", 0, latin("\x1f\x8b\x08")],
];

function sniffContainer(bytes: Buffer): string | null {
  if (hasAt(bytes, 0, latin("RIFF"))) return riffTypes[bytes.toString("latin1", 8, 12)] ?? null;
  if (hasAt(bytes, 0, latin("OggS"))) return bytes.includes("\x80theora", 0, "latin1") ? "video/ogg" : "audio/ogg";
  if (hasAt(bytes, 0, latin("\x1a\x45\xdf\xa3"))) {
    return bytes.subarray(0, 64).includes("webm", 0, "latin1") ? "video/webm" : "video/x-matroska";
  }
  // ISO media: the first box is named ftyp and has a sane length; its brand says what follows.
  const isIsoMedia = hasAt(bytes, 4, latin("ftyp")) && bytes.length >= 12 && bytes.readUInt32BE(0) >= 16;
  return isIsoMedia ? (isoBrands[bytes.toString("latin1", 8, 12)] ?? "video/mp4") : null;
}

const riffTypes: Readonly<Record<string, string>> = { WEBP: "image/webp", WAVE: "audio/wav" };

const isoBrands: Readonly<Record<string, string>> = {
  avif: "image/avif",
  avis: "image/avif",
  heic: "image/heic",
  heix: "image/heic",
  mif1: "image/heic",
  "M4A ": "audio/mp4",
  "M4B ": "audio/mp4",
  "qt  ": "video/quicktime",
};

// MPEG audio without a tag: a frame header, and a second one exactly where the first frame ends.
function sniffAudioFrame(bytes: Buffer): string | null {
  const length = audioFrameBytes(bytes, 0);
  return length !== null && audioFrameBytes(bytes, length) !== null ? "audio/mpeg" : null;
}

const layerThreeKilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const samplesPerSecond = [44_100, 48_000, 32_000];

function audioFrameBytes(bytes: Buffer, at: number): number | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  // MPEG 1, layer III.
  if (first !== 0xff || (second & 0xfe) !== 0xfa) return null;
  const kilobits = layerThreeKilobits[third >> 4];
  const rate = samplesPerSecond[(third >> 2) & 3];
  if (!kilobits || rate === undefined) return null;
  return Math.floor((144_000 * kilobits) / rate) + ((third >> 1) & 1);
}

function hasAt(bytes: Buffer, at: number, signature: Buffer): boolean {
  return (
    bytes.length >= at + signature.length &&
    bytes.compare(signature, 0, signature.length, at, at + signature.length) === 0
  );
}

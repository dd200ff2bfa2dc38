// What a picture file says about itself before it is unpacked: its format, and how the application's reader treats its
// transparency. We read only the parts before the pixels.
import { type FileHandle, open } from "node:fs/promises";

export interface PictureFile {
  readonly format: "png" | "jpeg" | "gif" | "bmp" | "other";
  // A PNG with several pictures.
  readonly isAnimatedPng: boolean;
  // Whether LoadImage makes a mask from its transparency. It does not for a colour that stands for "transparent".
  readonly hasMask: boolean | null;
  // The colour a GIF shows if its transparency is ignored.
  readonly hiddenColour: readonly number[] | null;
}

const headBytes = 64 * 1024;

// `null` for a format that we do not open for callers; the decoder knows more formats than they should reach.
export async function lookAtPicture(source: string | Uint8Array): Promise<PictureFile | null> {
  const reader = await openBytes(source);
  try {
    const head = await reader.read(0, headBytes);
    const format = formatOf(head);
    if (format === null) return null;
    const plain = { format, isAnimatedPng: false, hasMask: null, hiddenColour: null };
    if (format === "png") return { ...plain, ...(await lookAtPng(reader)) };
    return format === "gif" ? { ...plain, ...lookAtGif(head) } : plain;
  } finally {
    await reader.close();
  }
}

function formatOf(head: Buffer): PictureFile["format"] | null {
  const text = head.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("GIF8")) return "gif";
  if (text.startsWith("BM")) return "bmp";
  // TIFF in both byte orders, WEBP, AVIF and HEIF.
  const isOther = /^(?:II[*+]\0|MM\0[*+])/.test(text) || /^RIFF[\s\S]{4}WEBP/.test(text);
  return isOther || /^[\s\S]{4}ftyp(?:avif|avis|hei[cfsx]|mif1)/.test(text) ? "other" : null;
}

interface Reader {
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

async function openBytes(source: string | Uint8Array): Promise<Reader> {
  if (typeof source !== "string") {
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    return { read: async (at, length) => bytes.subarray(at, at + length), close: async () => undefined };
  }
  const file: FileHandle = await open(source, "r");
  return {
    async read(at, length) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}

const chunksMax = 1000;

async function lookAtPng(reader: Reader): Promise<Pick<PictureFile, "isAnimatedPng" | "hasMask">> {
  const [colourType = 0] = (await reader.read(25, 1)).values();
  let [isAnimatedPng, hasTransparency] = [false, false];
  for (let at = 8, count = 0; count < chunksMax; count++) {
    const head = await reader.read(at, 8);
    if (head.length < 8) break;
    const type = head.toString("latin1", 4, 8);
    if (type === "IDAT" || type === "IEND") break;
    if (type === "acTL") isAnimatedPng = (await reader.read(at + 8, 4)).readUInt32BE() > 1;
    if (type === "tRNS") hasTransparency = true;
    at += 12 + head.readUInt32BE();
  }
  return { isAnimatedPng, hasMask: colourType >= 4 || (colourType === 3 && hasTransparency) };
}

// The first picture decides: its transparent colour, unless its palette is all greys in order, which the application reads as a
// greyscale picture.
function lookAtGif(head: Buffer): Pick<PictureFile, "hasMask" | "hiddenColour"> {
  let palette = tableOf(head, 13, head[10] ?? 0);
  let transparent: number | null = null;
  for (let at = 13 + palette.length; at < head.length; ) {
    if (head[at] === 0x2c) {
      const own = tableOf(head, at + 10, head[at + 9] ?? 0);
      if (own.length > 0) palette = own;
      break;
    }
    if (head[at] !== 0x21) break;
    const hasTransparent = head[at + 1] === 0xf9 && ((head[at + 3] ?? 0) & 1) === 1;
    if (hasTransparent) transparent = head[at + 6] ?? null;
    at += 2;
    while ((head[at] ?? 0) > 0) at += (head[at] ?? 0) + 1;
    at += 1;
  }
  if (transparent === null) return { hasMask: false, hiddenColour: null };
  const hiddenColour = [...palette.subarray(transparent * 3, transparent * 3 + 3)];
  return { hasMask: !isGreyRamp(palette), hiddenColour };
}

const tableOf = (head: Buffer, at: number, flags: number) =>
  head.subarray(at, at + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0));

function isGreyRamp(palette: Buffer): boolean {
  return palette.every((level, at) => level === Math.floor(at / 3));
}

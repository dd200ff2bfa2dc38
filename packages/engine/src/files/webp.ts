// WEBP, still or animated, with the graph in the EXIF block where the application puts it.
import { openRaw, type RawPicture } from "./codec.ts";

interface WebpPictures extends RawPicture {
  readonly batch: number;
}

interface WebpOptions {
  readonly milliseconds: number;
  readonly isLossless: boolean;
  readonly quality: number;
  readonly effort: number;
  readonly texts: ReadonlyMap<string, string>;
}

export async function encodeWebp(pictures: WebpPictures, options: WebpOptions): Promise<Buffer> {
  const { batch, height, width, channels, bytes } = pictures;
  const raw = await openRaw({ bytes, width, height: height * batch, channels }, batch > 1 ? height : undefined);
  const file = await raw
    // A placeholder: the encoder cannot write a text above 64 KiB itself.
    .withExif({ IFD0: { Model: "prompt" } })
    .webp({
      lossless: options.isLossless,
      quality: Math.max(1, options.quality),
      effort: options.effort,
      loop: 0,
      delay: Array.from({ length: batch }, () => options.milliseconds),
    })
    .toBuffer();
  return withExif(file, exifBlock(options.texts));
}

const riffHeaderBytes = 12;

// The file with its EXIF block replaced.
function withExif(file: Buffer, exif: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = riffHeaderBytes; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    chunks.push(file.toString("latin1", at, at + 4) === "EXIF" ? chunk("EXIF", exif) : file.subarray(at, end));
    at = end;
  }
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks]);
  return chunk("RIFF", body);
}

function chunk(name: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(name, "latin1");
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

// The application's numbering: the graph is in the model tag, further texts are in the tags before it.
const firstTag = 0x0110;
const entryBytes = 12;
const asciiType = 2;

function exifBlock(texts: ReadonlyMap<string, string>): Buffer {
  const entries = Array.from(texts, ([name, text], at) => ({
    tag: firstTag - at,
    bytes: Buffer.from(`${name}:${text}\0`, "latin1"),
  }));
  const directory = Buffer.alloc(8 + 2 + entries.length * entryBytes + 4);
  directory.write("II*\0", "latin1");
  directory.writeUInt32LE(8, 4);
  directory.writeUInt16LE(entries.length, 8);
  let offset = directory.length;
  // A directory is sorted by tag.
  const ordered = entries.toReversed();
  for (const [at, { tag, bytes }] of ordered.entries()) {
    const start = 10 + at * entryBytes;
    directory.writeUInt16LE(tag, start);
    directory.writeUInt16LE(asciiType, start + 2);
    directory.writeUInt32LE(bytes.length, start + 4);
    // Up to four bytes are stored in the entry itself.
    if (bytes.length <= 4) bytes.copy(directory, start + 8);
    else directory.writeUInt32LE(offset, start + 8);
    offset += bytes.length > 4 ? bytes.length : 0;
  }
  return Buffer.concat([directory, ...ordered.map(({ bytes }) => bytes).filter(({ length }) => length > 4)]);
}

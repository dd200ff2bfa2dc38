// Opens a zip archive, lists its directory, and compares both headers of every entry. Reads an entry no further than its
// announced size. A file that cannot be read that far is not an archive.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import yauzl from "yauzl";
import { attempt } from "../../../foundation/retry.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import type { ArchiveEntry } from "./examine-entries.ts";
import type { Finding } from "./finding.ts";

export type OpenedArchive =
  | { readonly kind: "unreadable"; readonly reason: string }
  // Too many entries to list.
  | { readonly kind: "crowded"; readonly finding: Finding }
  | { readonly kind: "opened"; readonly entries: readonly ArchiveEntry[] };

export interface ArchiveFile {
  readonly size: number;
  read(start: number, length: number): Buffer;
  close(): void;
}

// Small archives are read into memory whole: one read instead of thousands.
const wholeBytesMax = 64 * 1024 * 1024;

export function openArchiveFile(path: string): ArchiveFile {
  const descriptor = openSync(path, "r");
  const { size } = fstatSync(descriptor);
  const readAt = (start: number, length: number) => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - start)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  };
  const all = size <= wholeBytesMax ? readAt(0, size) : null;
  return {
    size,
    read: (start, length) => (all === null ? readAt(start, length) : all.subarray(start, start + length)),
    close: () => closeSync(descriptor),
  };
}

export async function openArchive(file: ArchiveFile, path: string, limits: ArchiveLimits): Promise<OpenedArchive> {
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false, autoClose: true };
  try {
    const zip =
      file.size <= wholeBytesMax
        ? await yauzl.fromBufferPromise(file.read(0, file.size), options)
        : await yauzl.openPromise(path, options);
    if (zip.entryCount > limits.entriesMax) {
      zip.close();
      const message = `It has ${zip.entryCount} entries; at most ${limits.entriesMax} are allowed.`;
      return { kind: "crowded", finding: { code: "too_many_entries", message } };
    }
    const entries: ArchiveEntry[] = [];
    let directoryBytes = 0;
    for await (const entry of zip.eachEntry()) {
      directoryBytes += directoryBytesOf(entry);
      if (directoryBytes > limits.directoryBytesMax) {
        zip.close();
        const message = `Its directory is larger than ${limits.directoryBytesMax} bytes.`;
        return { kind: "crowded", finding: { code: "directory_too_large", message } };
      }
      entries.push(describe(file, entry));
    }
    return { kind: "opened", entries };
  } catch (thrown) {
    return { kind: "unreadable", reason: thrown instanceof Error ? thrown.message : "It cannot be read." };
  }
}

const localHeaderBytes = 30;
const directoryRecordBytes = 46;

function directoryBytesOf({ fileNameLength, extraFieldLength, fileCommentLength }: yauzl.Entry): number {
  return directoryRecordBytes + fileNameLength + extraFieldLength + fileCommentLength;
}

function describe(file: ArchiveFile, entry: yauzl.Entry): ArchiveEntry {
  const start = entry.relativeOffsetOfLocalHeader;
  const header = file.read(start, localHeaderBytes);
  if (header.length < localHeaderBytes || header.readUInt32LE(0) !== 0x04034b50) {
    throw new Error("A directory entry has no header.");
  }
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  const dataStart = start + localHeaderBytes + nameLength + extraLength;
  const end = dataStart + entry.compressedSize;
  if (end > file.size) throw new Error("An entry lies outside the archive.");
  const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  const localName = file.read(start + localHeaderBytes, nameLength);
  const localExtra = file.read(start + localHeaderBytes + nameLength, extraLength);
  // The upper half of the attributes is the file mode if the archive was made on UNIX or macOS.
  const maker = entry.versionMadeBy >> 8;
  return {
    name,
    isFolder: name.endsWith("/"),
    mode: maker === 3 || maker === 19 ? entry.externalFileAttributes >>> 16 : 0,
    isEncrypted: entry.isEncrypted(),
    method: entry.compressionMethod,
    packedBytes: entry.compressedSize,
    unpackedBytes: entry.uncompressedSize,
    checksum: entry.crc32,
    start,
    dataStart,
    end,
    disagreement: disagreementOf(entry, { header, localName, localExtra }),
  };
}

interface LocalHeader {
  readonly header: Buffer;
  readonly localName: Buffer;
  readonly localExtra: Buffer;
}

// A second name. Some tools use it, the others use the first one.
const unicodeNameField = 0x7075;
const zip64Field = 0x0001;

function disagreementOf(entry: yauzl.Entry, { header, localName, localExtra }: LocalHeader): string | null {
  if (!localName.equals(entry.fileNameRaw)) return "The entry has two names.";
  const localFields = attempt(() => yauzl.parseExtraFields(localExtra), null);
  if (localFields === null) return "The entry's extra data cannot be read.";
  const secondNames = [...entry.extraFields, ...localFields].filter(({ id }) => id === unicodeNameField);
  if (secondNames.some(({ data }) => isAnotherName(entry.fileNameRaw, data.subarray(5)))) {
    return "The entry has two names.";
  }
  if (header.readUInt16LE(8) !== entry.compressionMethod) return "The entry has two compression methods.";
  // With bit 3 set, the sizes come after the bytes. In a zip64 entry they are in an extra field.
  const isLater = (header.readUInt16LE(6) & 8) !== 0;
  const [packed, unpacked] = [header.readUInt32LE(18), header.readUInt32LE(22)];
  if (isLater && packed === 0 && unpacked === 0) return null;
  const [largeUnpacked, largePacked] = zip64Sizes(localFields);
  const disagrees = (local: number, large: bigint | undefined, declared: number) =>
    local === 0xffffffff ? !(isLater && large === 0n) && large !== BigInt(declared) : local !== declared;
  if (
    disagrees(packed, largePacked, entry.compressedSize) ||
    disagrees(unpacked, largeUnpacked, entry.uncompressedSize)
  ) {
    return "The entry has two sizes.";
  }
  return null;
}

// The same name in two encodings has the same ASCII letters in the same order.
function isAnotherName(first: Buffer, second: Buffer): boolean {
  const isPlain = first.every((byte) => byte < 0x80);
  const plainOf = (name: Buffer) => name.filter((byte) => byte < 0x80);
  return isPlain ? !first.equals(second) : !Buffer.from(plainOf(first)).equals(plainOf(second));
}

// In a local header the field holds both sizes, in this order.
function zip64Sizes(fields: readonly yauzl.ExtraField[]): readonly [unpacked?: bigint, packed?: bigint] {
  const data = fields.find(({ id }) => id === zip64Field)?.data;
  return data === undefined || data.length < 16 ? [] : [data.readBigUInt64LE(0), data.readBigUInt64LE(8)];
}

export type ReadEntry =
  | { readonly ok: true; readonly bytes: Buffer | null }
  | { readonly ok: false; readonly message: string };

// Entries up to this size are unpacked in one piece, which is many times faster for archives of many small files.
const onePieceMax = 8 * 1024 * 1024;

// Always checks size and checksum; returns the bytes only if `isWanted`.
export async function readEntry(file: ArchiveFile, entry: ArchiveEntry, isWanted: boolean): Promise<ReadEntry> {
  if (entry.unpackedBytes > onePieceMax || entry.packedBytes > onePieceMax) {
    return isWanted ? { ok: false, message: "The file is too large to read." } : verifyInPieces(file, entry);
  }
  const packed = file.read(entry.dataStart, entry.packedBytes);
  let bytes: Buffer;
  try {
    // Allow one byte more than announced, so that we notice an entry that is too long.
    bytes = entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: entry.unpackedBytes + 1 });
  } catch (thrown) {
    const isLonger = thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
    return { ok: false, message: isLonger ? longer : "The bytes cannot be unpacked." };
  }
  if (bytes.length !== entry.unpackedBytes) return { ok: false, message: sizeDiffers };
  if (crc32(bytes) !== entry.checksum) return { ok: false, message: checksumDiffers };
  return { ok: true, bytes: isWanted ? bytes : null };
}

const longer = "The file unpacks to more bytes than it declares.";
const sizeDiffers = "The file's size differs from the size it declares.";
const checksumDiffers = "The checksum does not match the bytes.";
const pieceBytes = 1024 * 1024;

async function verifyInPieces(file: ArchiveFile, entry: ArchiveEntry): Promise<ReadEntry> {
  const unpacked = entry.method === 0 ? pieces(file, entry) : inflated(pieces(file, entry));
  let [size, checksum] = [0, 0];
  try {
    for await (const piece of unpacked) {
      size += piece.length;
      if (size > entry.unpackedBytes) return { ok: false, message: longer };
      checksum = crc32(piece, checksum);
    }
  } catch {
    return { ok: false, message: "The bytes cannot be unpacked." };
  }
  if (size !== entry.unpackedBytes) return { ok: false, message: sizeDiffers };
  return checksum === entry.checksum ? { ok: true, bytes: null } : { ok: false, message: checksumDiffers };
}

async function* pieces(file: ArchiveFile, { dataStart, end }: ArchiveEntry): AsyncGenerator<Buffer> {
  for (let at = dataStart; at < end; at += pieceBytes) yield file.read(at, Math.min(pieceBytes, end - at));
}

async function* inflated(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  const feeding = feed(source, inflate);
  try {
    for await (const piece of inflate) yield piece;
    await feeding;
  } finally {
    inflate.destroy();
    await feeding.catch(() => {});
  }
}

async function feed(source: AsyncGenerator<Buffer>, inflate: ReturnType<typeof createInflateRaw>): Promise<void> {
  for await (const piece of source) {
    if (inflate.destroyed) return;
    if (!inflate.write(piece))
      await new Promise<void>((resolve) => {
        inflate.once("drain", resolve);
        inflate.once("close", resolve);
      });
  }
  inflate.end();
}

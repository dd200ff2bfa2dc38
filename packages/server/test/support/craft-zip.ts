// Builds zip archives byte by byte, so that a test can write what no honest program would.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly bytes?: string | Buffer;
  readonly mode?: number;
  // Lies, each replacing the true value.
  readonly localName?: string;
  readonly flags?: number;
  readonly method?: number;
  readonly unpackedBytes?: number;
  readonly checksum?: number;
  // Both sizes, in the directory and before the bytes. 0xffffffff means that the true size is in a field after the name.
  readonly sizes?: number;
  readonly localSizes?: number;
  // Fields after the name, in the directory and before the bytes.
  readonly extra?: Buffer;
  readonly localExtra?: Buffer;
  readonly comment?: string;
  // Points at the header of the part with this index instead of writing one.
  readonly sharesWith?: number;
}

export interface ZipOptions {
  readonly entryCount?: number;
  // Adds the longer records at the end; each number given here replaces the true one.
  readonly zip64?: { readonly entryCount?: bigint; readonly directoryStart?: bigint };
}

export function craftZip(parts: readonly ZipPart[], options: ZipOptions = {}): Buffer {
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  const starts: { start: number; packed: number; unpacked: number; checksum: number; method: number }[] = [];
  let at = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part.bytes ?? "");
    const shared = part.sharesWith === undefined ? undefined : starts[part.sharesWith];
    const deflated = deflateRawSync(bytes);
    const isPacked = part.method === undefined && deflated.length < bytes.length;
    const packed = isPacked ? deflated : bytes;
    const facts = shared ?? {
      start: at,
      packed: packed.length,
      unpacked: part.unpackedBytes ?? bytes.length,
      checksum: part.checksum ?? crc32(bytes),
      method: part.method ?? (isPacked ? 8 : 0),
    };
    starts.push(facts);
    const flags = part.flags ?? 0x800;
    if (shared === undefined) {
      const localName = Buffer.from(part.localName ?? part.name);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(20, 4);
      fill(header, 6, flags, withSizes(facts, part.localSizes));
      const localExtra = part.localExtra ?? Buffer.alloc(0);
      header.writeUInt16LE(localName.length, 26);
      header.writeUInt16LE(localExtra.length, 28);
      written.push(header, localName, localExtra, packed);
      at += header.length + localName.length + localExtra.length + packed.length;
    }
    const name = Buffer.from(part.name);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE((3 << 8) | 20, 4);
    record.writeUInt16LE(20, 6);
    fill(record, 8, flags, withSizes(facts, part.sizes));
    const [extra, comment] = [part.extra ?? Buffer.alloc(0), Buffer.from(part.comment ?? "")];
    record.writeUInt16LE(name.length, 28);
    record.writeUInt16LE(extra.length, 30);
    record.writeUInt16LE(comment.length, 32);
    record.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38);
    record.writeUInt32LE(facts.start, 42);
    directory.push(record, name, extra, comment);
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.entryCount ?? parts.length, 8);
  end.writeUInt16LE(options.entryCount ?? parts.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  if (options.zip64 === undefined) return Buffer.concat([...written, listing, end]);
  end.fill(0xff, 8, 20);
  return Buffer.concat([...written, listing, longEnd(at, listing.length, parts.length, options.zip64), end]);
}

function longEnd(start: number, bytes: number, count: number, lies: NonNullable<ZipOptions["zip64"]>): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(lies.entryCount ?? BigInt(count), 24);
  record.writeBigUInt64LE(lies.entryCount ?? BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(lies.directoryStart ?? BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

// A second name for the entry, as some programs write it.
export function secondName(first: string | Buffer, second: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(crc32(Buffer.from(first)), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(second)]));
}

const withSizes = <Facts extends object>(facts: Facts, sizes: number | undefined): Facts =>
  sizes === undefined ? facts : { ...facts, packed: sizes, unpacked: sizes };

function fill(
  header: Buffer,
  at: number,
  flags: number,
  facts: { packed: number; unpacked: number; checksum: number; method: number },
): void {
  header.writeUInt16LE(flags, at);
  header.writeUInt16LE(facts.method, at + 2);
  header.writeUInt32LE(facts.checksum, at + 8);
  header.writeUInt32LE(facts.packed, at + 12);
  header.writeUInt32LE(facts.unpacked, at + 16);
}

export function manifestText(declared: { publisherId: string; nodeId: string; version: string }): string {
  return `[project]
name = "${declared.nodeId}"
version = "${declared.version}"
dependencies = []

[tool.studio]
PublisherId = "${declared.publisherId}"
DisplayName = "A node"
`;
}

// Zip archives byte by byte, so that a test can also say what no honest program would write.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly bytes?: string | Buffer;
  readonly mode?: number;
  // Lies, each in place of the truth.
  readonly localName?: string;
  readonly flags?: number;
  readonly method?: number;
  readonly unpackedBytes?: number;
  readonly checksum?: number;
  // Points at the header of the part with this index instead of writing one.
  readonly sharesWith?: number;
}

export function craftZip(parts: readonly ZipPart[], options: { readonly entryCount?: number } = {}): Buffer {
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
      fill(header, 6, flags, facts);
      header.writeUInt16LE(localName.length, 26);
      written.push(header, localName, packed);
      at += header.length + localName.length + packed.length;
    }
    const name = Buffer.from(part.name);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE((3 << 8) | 20, 4);
    record.writeUInt16LE(20, 6);
    fill(record, 8, flags, facts);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38);
    record.writeUInt32LE(facts.start, 42);
    directory.push(record, name);
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.entryCount ?? parts.length, 8);
  end.writeUInt16LE(options.entryCount ?? parts.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...written, listing, end]);
}

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

// Writes a zip without compression, piece by piece: pictures and videos are already compressed, and their bytes come out exactly
// as they went in. Sizes and checksum follow each file; beyond 4 GiB we write the larger fields.
export interface ZipEntry {
  readonly name: string;
  readonly modified: Date;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Written {
  readonly name: Uint8Array;
  readonly time: number;
  readonly crc: number;
  readonly size: number;
  readonly at: number;
}

const table = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let at = 0;
  for await (const { name, modified, bytes } of entries) {
    const head = { name: new TextEncoder().encode(name), time: dosTime(modified) };
    const local = record(
      0x04034b50,
      [
        [2, 45],
        [2, 0x0808],
        [2, 0],
        [4, head.time],
        [4, 0],
        [4, 0],
        [4, 0],
        [2, head.name.length],
        [2, 0],
      ],
      head.name,
    );
    yield local;
    let crc = 0;
    let size = 0;
    for await (const piece of bytes) {
      crc = crc32(piece, crc);
      size += piece.byteLength;
      yield piece;
    }
    const isLarge = size >= 0xffffffff;
    const after = record(0x08074b50, [
      [4, crc],
      [isLarge ? 8 : 4, size],
      [isLarge ? 8 : 4, size],
    ]);
    yield after;
    written.push({ ...head, crc, size, at });
    at += local.length + size + after.length;
  }
  const directory = written.map(directoryEntry);
  yield* directory;
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  yield record(0x06064b50, [
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, written.length],
    [8, written.length],
    [8, size],
    [8, at],
  ]);
  yield record(0x07064b50, [
    [4, 0],
    [8, at + size],
    [4, 1],
  ]);
  const count = Math.min(written.length, 0xffff);
  yield record(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, Math.min(size, 0xffffffff)],
    [4, Math.min(at, 0xffffffff)],
    [2, 0],
  ]);
}

function directoryEntry({ name, time, crc, size, at }: Written): Uint8Array {
  const isLarge = size >= 0xffffffff || at >= 0xffffffff;
  const large = isLarge
    ? record(null, [
        [2, 1],
        [2, 24],
        [8, size],
        [8, size],
        [8, at],
      ])
    : new Uint8Array();
  const short = (value: number) => (isLarge ? 0xffffffff : value);
  return record(
    0x02014b50,
    [
      [2, 45],
      [2, 45],
      [2, 0x0808],
      [2, 0],
      [4, time],
      [4, crc],
      [4, short(size)],
      [4, short(size)],
      [2, name.length],
      [2, large.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, short(at)],
    ],
    name,
    large,
  );
}

type Field = readonly [width: 2 | 4 | 8, value: number];

function record(signature: number | null, fields: readonly Field[], ...tails: readonly Uint8Array[]): Uint8Array {
  const all: readonly Field[] = signature === null ? fields : [[4, signature], ...fields];
  const length = all.reduce((sum, [width]) => sum + width, 0);
  const bytes = new Uint8Array(length + tails.reduce((sum, tail) => sum + tail.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of all) {
    if (width === 2) view.setUint16(at, value, true);
    else if (width === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += width;
  }
  for (const tail of tails) {
    bytes.set(tail, at);
    at += tail.length;
  }
  return bytes;
}

// The format's resolution is two seconds.
function dosTime(at: Date): number {
  const day = ((Math.max(at.getFullYear(), 1980) - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
  return ((day << 16) | (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)) >>> 0;
}

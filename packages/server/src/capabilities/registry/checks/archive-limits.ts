// Size limits for the contents of an archive. They count bytes and names, never seconds, so a slow machine reaches the
// same verdict as a fast one.
const mebibyte = 1024 ** 2;

export interface ArchiveLimits {
  readonly entriesMax: number;
  // The zip directory: names, extra fields and comments of all entries.
  readonly directoryBytesMax: number;
  // The unpacked size of all entries together.
  readonly unpackedBytesMax: number;
  // Unpacked size divided by packed size, for the whole archive and for each entry. Small ones are exempt.
  readonly ratioMax: number;
  readonly ratioFromBytes: number;
  readonly entryRatioMax: number;
  readonly entryRatioFromBytes: number;
  readonly nameBytesMax: number;
  // Limits for one source file that the rules read, and for all of them together.
  readonly sourceBytesMax: number;
  readonly sourcesBytesMax: number;
}

export const archiveLimits: ArchiveLimits = {
  entriesMax: 20_000,
  directoryBytesMax: 16 * mebibyte,
  unpackedBytesMax: 4096 * mebibyte,
  ratioMax: 100,
  ratioFromBytes: 64 * mebibyte,
  entryRatioMax: 200,
  entryRatioFromBytes: 8 * mebibyte,
  nameBytesMax: 1024,
  sourceBytesMax: 8 * mebibyte,
  sourcesBytesMax: 48 * mebibyte,
};

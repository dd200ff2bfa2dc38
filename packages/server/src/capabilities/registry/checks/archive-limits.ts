// How large what is in an archive may be. The numbers count bytes and names, never seconds, so that a slow machine
// gives the same verdict as a fast one.
const mebibyte = 1024 ** 2;

export interface ArchiveLimits {
  readonly entriesMax: number;
  // The directory at the end: names, extra fields and comments of all entries.
  readonly directoryBytesMax: number;
  // All entries unpacked.
  readonly unpackedBytesMax: number;
  // Unpacked over packed, for the whole archive and for one entry; small ones are spared.
  readonly ratioMax: number;
  readonly ratioFromBytes: number;
  readonly entryRatioMax: number;
  readonly entryRatioFromBytes: number;
  readonly nameBytesMax: number;
  // One source file that the rules read, and all of them.
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

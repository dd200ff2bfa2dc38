// The readme of an archive, as text that is safe to store and to show: found by its name at the top of the archive, cut
// at a fixed length, without control characters or marks that change the direction of text.
import { limits } from "@atelier/contract";
import type { ArchiveEntry } from "./examine-entries.ts";

export interface Readme {
  readonly file: string;
  readonly text: string;
  readonly isCut: boolean;
}

// The first that exists.
const names = ["readme.md", "readme.markdown", "readme.rst", "readme.txt", "readme"];
const bytesMax = limits.nodeReadmeLengthMax * 8;

export function findReadme(entries: readonly ArchiveEntry[]): ArchiveEntry | null {
  const rank = ({ name }: ArchiveEntry) => names.indexOf(name.toLowerCase());
  const found = entries.filter((entry) => rank(entry) >= 0 && entry.unpackedBytes <= bytesMax);
  return found.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

export function readmeOf(file: string, source: string): Readme | null {
  const plain = source
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .trimEnd();
  if (plain.trim() === "") return null;
  const isCut = plain.length > limits.nodeReadmeLengthMax;
  // Never in the middle of a character.
  const text = isCut ? plain.slice(0, limits.nodeReadmeLengthMax).replace(/[\ud800-\udbff]$/, "") : plain;
  return { file, text, isCut };
}

// Decides whether these entries are safe to unpack, from what the archive claims before any byte is unpacked: names,
// links, kinds, sizes, ratios, and whether entries share bytes. Whether the claims are true is checked when the bytes are
// read.

import type { ArchiveLimits } from "./archive-limits.ts";
import { foldedName, problemOfName } from "./entry-name.ts";
import { type Finding, shownName } from "./finding.ts";
export interface ArchiveEntry {
  readonly name: string;
  readonly isFolder: boolean;
  // The entry's UNIX file mode, or 0 if the tool that made the archive set none.
  readonly mode: number;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly checksum: number;
  // Where its local header begins and its bytes end.
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
  // How the local header differs from the directory. Null if they agree.
  readonly disagreement: string | null;
}

export function examineEntries(
  entries: readonly ArchiveEntry[],
  archiveBytes: number,
  limits: ArchiveLimits,
): { readonly findings: readonly Finding[]; readonly mayRead: boolean } {
  const size = sizeFindings(entries, archiveBytes, limits);
  const shared = overlapFindings(entries);
  return {
    findings: [...size, ...shared, ...entries.flatMap((entry) => entryFindings(entry, limits)), ...twins(entries)],
    // Do not unpack a zip bomb to find out whether it is one.
    mayRead: size.length === 0 && shared.length === 0,
  };
}

function sizeFindings(entries: readonly ArchiveEntry[], archiveBytes: number, limits: ArchiveLimits): Finding[] {
  const findings: Finding[] = [];
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  if (unpacked > limits.unpackedBytesMax) {
    findings.push(
      whole("archive_too_large", `It unpacks to ${unpacked} bytes; at most ${limits.unpackedBytesMax} are allowed.`),
    );
  }
  if (unpacked > limits.ratioFromBytes && unpacked > archiveBytes * limits.ratioMax) {
    findings.push(whole("archive_ratio", `It unpacks to more than ${limits.ratioMax} times its size.`));
  }
  for (const { name, packedBytes, unpackedBytes } of entries) {
    if (unpackedBytes <= limits.entryRatioFromBytes || unpackedBytes <= packedBytes * limits.entryRatioMax) continue;
    const message = `The file unpacks to more than ${limits.entryRatioMax} times its size.`;
    findings.push({ code: "archive_ratio", message, file: shownName(name) });
  }
  return findings;
}

function entryFindings(entry: ArchiveEntry, limits: ArchiveLimits): Finding[] {
  const file = shownName(entry.name);
  const findings: Finding[] = [];
  const problem = problemOfName(entry.name, limits.nameBytesMax);
  if (problem) findings.push({ ...problem, file });
  const kind = entry.mode & 0o170000;
  if (kind === 0o120000) findings.push({ code: "link", message: "Links are not allowed in an archive.", file });
  else if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) {
    findings.push({ code: "special_file", message: "Only plain files and folders are allowed in an archive.", file });
  }
  if (entry.isEncrypted)
    findings.push({ code: "encrypted", message: "The file is encrypted and cannot be read.", file });
  else if (entry.method !== 0 && entry.method !== 8) {
    findings.push({
      code: "unknown_compression",
      message: `Compression method ${entry.method} is not supported.`,
      file,
    });
  }
  if (entry.isFolder && entry.unpackedBytes > 0) {
    findings.push({ code: "header_disagreement", message: "A folder entry contains bytes.", file });
  }
  if (entry.disagreement !== null) {
    findings.push({ code: "header_disagreement", message: entry.disagreement, file });
  }
  return findings;
}

// If two entries have the same name, which one is unpacked depends on the tool. The same goes for a file whose name is
// also used as a folder.
function twins(entries: readonly ArchiveEntry[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const files = new Set(entries.filter(({ isFolder }) => !isFolder).map(({ name }) => foldedName(name)));
  for (const { name } of entries) {
    const folded = foldedName(name);
    const file = shownName(name);
    if (seen.has(folded)) findings.push({ code: "duplicate_name", message: "Two entries have this name.", file });
    seen.add(folded);
    const parent = folded.slice(0, Math.max(0, folded.lastIndexOf("/")));
    if (parent !== "" && files.has(parent)) {
      findings.push({
        code: "duplicate_name",
        message: "This entry needs a folder where the archive has a file.",
        file,
      });
    }
  }
  return findings;
}

// Overlapping entries let a small archive unpack to an endless size.
function overlapFindings(entries: readonly ArchiveEntry[]): Finding[] {
  const ordered = [...entries].sort((a, b) => a.start - b.start);
  const findings: Finding[] = [];
  let end = 0;
  for (const entry of ordered) {
    if (entry.start < end && findings.length < 20) {
      const message = "The entry overlaps another one.";
      findings.push({ code: "overlapping_entries", message, file: shownName(entry.name) });
    }
    end = Math.max(end, entry.end);
  }
  return findings;
}

function whole(code: string, message: string): Finding {
  return { code, message };
}

// Produces the whole verdict on an archive. Runs in a child process only. The same bytes with the same identity, rules
// and limits give the same report: nothing here depends on the time, the machine or the order of the file system.

import { type CodeReading, readCode } from "../python/read-code.ts";
import { applyPathRules, applySourceRules, importsTests, isTest, languageOf, type SourceFile } from "./apply-rules.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import { type ArchiveEntry, examineEntries } from "./examine-entries.ts";
import { type Finding, orderFindings, shownName, withSourceLines } from "./finding.ts";
import { type DeclaredIdentity, examineManifest, manifestBytesMax, manifestName } from "./manifest.ts";
import { type ArchiveFile, openArchive, openArchiveFile, readEntry } from "./open-archive.ts";
import { findReadme, type Readme, readmeOf } from "./readme.ts";
import { refusedUses } from "./refused-uses.ts";
import type { RuleSet } from "./rule-set.ts";

export interface CheckTask {
  readonly path: string;
  readonly declared: DeclaredIdentity;
  readonly ruleSet: RuleSet;
  readonly limits: ArchiveLimits;
}

export interface CheckReport {
  // unreadable: the bytes are not an archive, so the upload failed.
  readonly verdict: "clean" | "flagged" | "unreadable";
  readonly findings: readonly Finding[];
  readonly readme: Readme | null;
  // What its code contains. Null if it must not be unpacked.
  readonly code: CodeReading | null;
}

export async function checkArchive(task: CheckTask): Promise<CheckReport> {
  const file = openArchiveFile(task.path);
  try {
    const opened = await openArchive(file, task.path, task.limits);
    if (opened.kind === "unreadable") {
      const message = `This is not a readable zip archive: ${shownName(opened.reason)}`;
      return { verdict: "unreadable", findings: [{ code: "archive_unreadable", message }], readme: null, code: null };
    }
    if (opened.kind === "crowded") return { verdict: "flagged", findings: [opened.finding], readme: null, code: null };
    const found = await findingsOf(task, file, opened.entries);
    const findings = withSourceLines(orderFindings(found.findings), found.sources);
    const { readme, code } = found;
    return { verdict: findings.length === 0 ? "clean" : "flagged", findings, readme, code };
  } finally {
    file.close();
  }
}

async function findingsOf(
  { declared, ruleSet, limits }: CheckTask,
  file: ArchiveFile,
  entries: readonly ArchiveEntry[],
): Promise<Pick<ReadFiles, "findings" | "sources" | "readme"> & Pick<CheckReport, "code">> {
  const { findings, mayRead } = examineEntries(entries, file.size, limits);
  if (!mayRead) return { findings, sources: [], readme: null, code: null };
  const files = entries.filter(({ isFolder }) => !isFolder);
  const names = files.map(({ name }) => shownName(name));
  const paths = applyPathRules(ruleSet, names);
  const read = await readFiles(file, files, limits);
  const testsAreUsed = read.sources.some(importsTests);
  const isRead = ({ name }: SourceFile) => testsAreUsed || !isTest(name);
  const code = readCode(names, read.sources.filter(isRead));
  const all = [
    ...findings,
    ...paths,
    ...read.findings,
    ...examineManifest(read.manifest, declared, names),
    ...read.sources.flatMap((source) => applySourceRules(ruleSet, source, { testsAreUsed })),
    ...refusedUses(ruleSet.refuse ?? [], code.uses),
  ];
  return { findings: all, sources: read.sources, readme: read.readme, code };
}

interface ReadFiles {
  readonly findings: readonly Finding[];
  readonly manifest: string | null;
  readonly sources: readonly SourceFile[];
  readonly readme: Readme | null;
}

// Unpacks every entry once and compares it with what its header announced. Sources are kept for the rules.
async function readFiles(
  file: ArchiveFile,
  entries: readonly ArchiveEntry[],
  limits: ArchiveLimits,
): Promise<ReadFiles> {
  const findings: Finding[] = [];
  const sources: SourceFile[] = [];
  const readmeEntry = findReadme(entries);
  let manifest: string | null = null;
  let readme: Readme | null = null;
  let sourceBytes = 0;
  for (const entry of entries) {
    if (entry.isEncrypted || (entry.method !== 0 && entry.method !== 8)) continue;
    const name = shownName(entry.name);
    const isManifest = entry.name === manifestName && entry.unpackedBytes <= manifestBytesMax;
    const isSource = languageOf(entry.name) !== null;
    const fits =
      entry.unpackedBytes <= limits.sourceBytesMax && sourceBytes + entry.unpackedBytes <= limits.sourcesBytesMax;
    if (isSource && !fits && !isTest(entry.name)) {
      findings.push({ code: "source_too_large", message: "The source file is too large to check.", file: name });
    }
    const isWanted = isManifest || entry === readmeEntry || (isSource && fits);
    const read = await readEntry(file, entry, isWanted);
    if (!read.ok) findings.push({ code: "false_size_or_checksum", message: read.message, file: name });
    else if (read.bytes !== null) {
      const text = read.bytes.toString("utf8");
      if (isManifest) manifest = text;
      if (entry === readmeEntry) readme = readmeOf(name, text);
      if (isSource) sources.push({ name, source: text });
      if (isSource) sourceBytes += entry.unpackedBytes;
    }
  }
  return { findings, manifest, sources, readme };
}

// What the checks found, for machines and for people. The order of findings is part of the verdict: the same bytes give
// the same list, so it is sorted by position and cut at a fixed length.
export interface Finding {
  // A stable identifier of the rule.
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  // That line, cut.
  readonly source?: string;
}

const findingsMax = 200;

export function orderFindings(findings: readonly Finding[]): readonly Finding[] {
  const sorted = [...findings].sort(byPosition);
  if (sorted.length <= findingsMax) return sorted;
  const left = sorted.length - findingsMax;
  return [...sorted.slice(0, findingsMax), { code: "more_findings", message: `${left} more findings are not listed.` }];
}

// Findings about the whole archive come first. Sorting ignores the locale, because every machine must sort the same way.
function byPosition(a: Finding, b: Finding): number {
  return (
    compareText(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const sourceMax = 200;

// With the line that each finding is about: publishers and reviewers see it without unpacking the archive.
export function withSourceLines(
  findings: readonly Finding[],
  sources: readonly { readonly name: string; readonly source: string }[],
): readonly Finding[] {
  const linesOf = new Map<string, readonly string[]>();
  return findings.map((finding) => {
    const { file = "", line } = finding;
    const found = line === undefined ? undefined : sources.find(({ name }) => name === file);
    if (line === undefined || found === undefined) return finding;
    const lines = linesOf.get(file) ?? found.source.split("\n");
    linesOf.set(file, lines);
    const text = (lines[line - 1] ?? "").trim();
    if (text === "") return finding;
    return { ...finding, source: shownName(text.length > sourceMax ? `${text.slice(0, sourceMax)}…` : text) };
  });
}

// Names from an archive are shown to people, so we strip control characters and limit the length.
export function shownName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{fffd}");
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}

// What the checks found, for machines and for people. The order of findings is part of the verdict: the same bytes give
// the same list, so it is sorted by where things stand and cut at a number of its own.
export interface Finding {
  // A stable word for the rule.
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

const findingsMax = 200;

export function orderFindings(findings: readonly Finding[]): readonly Finding[] {
  const sorted = [...findings].sort(byPosition);
  if (sorted.length <= findingsMax) return sorted;
  const left = sorted.length - findingsMax;
  return [
    ...sorted.slice(0, findingsMax),
    { code: "more_findings", message: `There are ${left} further findings that are not listed.` },
  ];
}

// Findings about the whole archive come first. No locale: every machine must sort alike.
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

// Names out of an archive are shown to people: control characters and lengths are ours to bound.
export function shownName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{fffd}");
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}

// What the code of a version can do, and where. Facts, not a verdict: most nodes write files, and many open the network.

export const capabilityKinds = ["network", "processes", "files", "code", "native", "environment"] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

export interface CodeUse {
  readonly kind: CapabilityKind;
  // True if it happens when the application loads the node, without a run.
  readonly atImport: boolean;
  // What is used: `requests.get`.
  readonly name: string;
  readonly file: string;
  // Absent if it is a file that is not source code.
  readonly line?: number;
  // The function it is in; absent at the top of a module.
  readonly within?: string;
}

export type CapabilityWord = CapabilityKind | `${CapabilityKind}_at_import`;

export const wordOf = ({ kind, atImport }: Pick<CodeUse, "kind" | "atImport">): CapabilityWord =>
  atImport ? `${kind}_at_import` : kind;

// In a fixed order. What happens at import counts as both words.
export function wordsOf(uses: readonly CodeUse[]): CapabilityWord[] {
  const found = new Set(uses.flatMap((use) => [use.kind, wordOf(use)]));
  return capabilityWords.filter((word) => found.has(word));
}

export const capabilityWords: readonly CapabilityWord[] = capabilityKinds.flatMap((kind): readonly CapabilityWord[] => [
  kind,
  `${kind}_at_import`,
]);

const usesMax = 1_000;

// The same use in the same function is listed once, at its first line.
export function orderUses(uses: readonly CodeUse[]): readonly CodeUse[] {
  const sorted = [...uses].sort(byPosition);
  const first = new Map<string, CodeUse>();
  for (const use of sorted) if (!first.has(keyOf(use))) first.set(keyOf(use), use);
  const all = [...first.values()];
  if (all.length <= usesMax) return all;
  // What happens at import is never cut in favour of what does not.
  const kept = new Set(
    [...all.filter(({ atImport }) => atImport), ...all.filter(({ atImport }) => !atImport)].slice(0, usesMax),
  );
  return all.filter((use) => kept.has(use));
}

const keyOf = ({ kind, atImport, name, file, within = "" }: CodeUse) => [kind, atImport, name, file, within].join("\n");

function byPosition(a: CodeUse, b: CodeUse): number {
  return (
    compareText(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name)
  );
}

const compareText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

export interface UseDifference {
  // Uses that the other version does not have; those of a new kind come first.
  readonly added: readonly (CodeUse & { readonly isNewKind: boolean })[];
  readonly removed: readonly CodeUse[];
}

export function compareUses(before: readonly CodeUse[], after: readonly CodeUse[]): UseDifference {
  const [had, has] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  const words = new Set(wordsOf(before));
  const added = after
    .filter((use) => !had.has(keyOf(use)))
    .map((use) => ({ ...use, isNewKind: !words.has(wordOf(use)) }));
  return {
    added: [...added.filter(({ isNewKind }) => isNewKind), ...added.filter(({ isNewKind }) => !isNewKind)],
    removed: before.filter((use) => !has.has(keyOf(use))),
  };
}

const verbs: Readonly<Record<CapabilityKind, string>> = {
  network: "opens the network",
  processes: "starts processes",
  files: "writes files",
  code: "evaluates code",
  native: "loads native code",
  environment: "reads the environment",
};

const plural: Readonly<Record<CapabilityKind, string>> = {
  network: "open the network",
  processes: "start processes",
  files: "write files",
  code: "evaluate code",
  native: "load native code",
  environment: "read the environment",
};

export const describeUse = ({ kind, atImport }: Pick<CodeUse, "kind" | "atImport">) =>
  `${plural[kind]}${atImport ? " at import" : ""}`;

// "1.4.1 newly opens the network at import, util.py:12 (requests.get)."
export function sayUse(version: string, use: CodeUse & { readonly isNewKind: boolean }): string {
  const where = use.line === undefined ? use.file : `${use.file}:${use.line}`;
  const how = use.isNewKind ? `newly ${verbs[use.kind]}` : `${verbs[use.kind]} in one more place`;
  return `${version} ${how}${use.atImport ? " at import" : ""}, ${where} (${use.name}).`;
}

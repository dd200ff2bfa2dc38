// What changed from one lock to another, in words that say what to fix. What one of the two does not know (Python left
// out, the application not running) is not compared.
import { sizeText } from "../../../foundation/home/size-text.ts";
import type { EnvironmentLock, LockedFile, LockedPack, LockedWeight } from "./environment-lock.ts";

export interface LockDifference {
  readonly part: "application" | "pack" | "python" | "weight" | "class" | "argument";
  readonly name: string;
  readonly change: "added" | "removed" | "changed";
  // Without part and name: "1.0.2 → 1.0.3; util.py changed".
  readonly words: string;
}

export function compareLocks(from: EnvironmentLock, to: EnvironmentLock): LockDifference[] {
  return [
    ...compareApplications(from.application, to.application),
    ...comparePacks(from.packs, to.packs),
    ...comparePython(from.python, to.python),
    ...compareWeights(from.weights, to.weights),
    ...compareNames("class", from.classes, to.classes, () => "other inputs or outputs"),
    ...compareArguments(from.arguments, to.arguments),
  ];
}

export function differenceText({ part, name, change, words }: LockDifference): string {
  const what = part === "application" ? "application" : `${part} ${name}`;
  return change === "changed" ? `${what}: ${words}` : `${what}: ${change}${words === "" ? "" : ` (${words})`}`;
}

function compareApplications(from: EnvironmentLock["application"], to: EnvironmentLock["application"]) {
  const words = [
    ...(from.version === to.version ? [] : [`${from.version} → ${to.version}`]),
    ...(from.commit === to.commit ? [] : [`commit ${short(from.commit)} → ${short(to.commit)}`]),
  ];
  return words.length === 0 ? [] : [changed("application", "application", words.join("; "))];
}

function comparePacks(from: readonly LockedPack[], to: readonly LockedPack[]): LockDifference[] {
  return compareLists(
    "pack",
    from,
    to,
    ({ name }) => name,
    packWords,
    ({ version }) => version ?? "",
  );
}

function packWords(from: LockedPack, to: LockedPack): string {
  return [
    ...(from.version === to.version ? [] : [`${from.version ?? "no version"} → ${to.version ?? "no version"}`]),
    ...(from.commit === to.commit ? [] : [`commit ${short(from.commit)} → ${short(to.commit)}`]),
    ...fileWords(from.files, to.files),
  ].join("; ");
}

const filesShown = 3;

function fileWords(from: readonly LockedFile[], to: readonly LockedFile[]): string[] {
  const changes = compareLists(
    "pack",
    from,
    to,
    ({ path }) => path,
    (a, b) => (a.sha256 === b.sha256 ? "" : "changed"),
    () => "",
  );
  if (changes.length === 0) return [];
  const shown = changes.slice(0, filesShown).map(({ name, change }) => `${name} ${change}`);
  const rest = changes.length - shown.length;
  return [`${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}

function compareWeights(from: readonly LockedWeight[], to: readonly LockedWeight[]): LockDifference[] {
  return compareLists(
    "weight",
    from,
    to,
    ({ path }) => path,
    weightWords,
    ({ bytes }) => sizeText(bytes),
  );
}

function weightWords(from: LockedWeight, to: LockedWeight): string {
  if (from.blake3 === to.blake3 && from.bytes === to.bytes && from.sha256 === to.sha256) return "";
  return from.bytes === to.bytes
    ? `other bytes of the same size (${sizeText(to.bytes)})`
    : `other bytes, ${sizeText(from.bytes)} → ${sizeText(to.bytes)}`;
}

function comparePython(from: EnvironmentLock["python"], to: EnvironmentLock["python"]): LockDifference[] {
  if (from === null || to === null) return [];
  const version = from.version === to.version ? [] : [changed("python", "itself", `${from.version} → ${to.version}`)];
  return [
    ...version,
    ...compareNames(
      "python",
      from.packages,
      to.packages,
      (a, b) => `${a} → ${b}`,
      (each) => each,
    ),
  ];
}

function compareArguments(from: readonly string[] | null, to: readonly string[] | null): LockDifference[] {
  const asNames = (list: readonly string[] | null) => list && Object.fromEntries(list.map((each) => [each, ""]));
  return compareNames("argument", asNames(from), asNames(to), () => "");
}

function compareNames(
  part: LockDifference["part"],
  from: Readonly<Record<string, string>> | null,
  to: Readonly<Record<string, string>> | null,
  words: (from: string, to: string) => string,
  aloneWords: (value: string) => string = () => "",
): LockDifference[] {
  if (from === null || to === null) return [];
  type Entry = readonly [name: string, value: string];
  const entries = (of: Readonly<Record<string, string>>): Entry[] => Object.entries(of);
  return compareLists(
    part,
    entries(from),
    entries(to),
    ([name]) => name,
    ([, a], [, b]) => (a === b ? "" : words(a, b)),
    ([, value]) => aloneWords(value),
  );
}

// Sorted by name. `words` is "" for two equal entries.
function compareLists<Item>(
  part: LockDifference["part"],
  from: readonly Item[],
  to: readonly Item[],
  nameOf: (item: Item) => string,
  words: (from: Item, to: Item) => string,
  aloneWords: (item: Item) => string,
): LockDifference[] {
  const before = new Map(from.map((item) => [nameOf(item), item]));
  const after = new Map(to.map((item) => [nameOf(item), item]));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return names.flatMap((name): LockDifference[] => {
    const [a, b] = [before.get(name), after.get(name)];
    if (a !== undefined && b !== undefined) {
      const said = words(a, b);
      return said === "" ? [] : [changed(part, name, said)];
    }
    if (a !== undefined) return [{ part, name, change: "removed", words: aloneWords(a) }];
    return b === undefined ? [] : [{ part, name, change: "added", words: aloneWords(b) }];
  });
}

function changed(part: LockDifference["part"], name: string, words: string): LockDifference {
  return { part, name, change: "changed", words };
}

const short = (commit: string | null) => commit?.slice(0, 10) ?? "none";

// What `npm test` prints at the end, and whether it passed. Each stage is counted separately, and the total is the sum of the
// stages. A stage that ended before it had counted, or a file none of whose tests reported, is a failure. We name what tests
// left in their temporary folder: it goes with the run, and a test that kills a server cannot help it.

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that took a while. */
  readonly tests: readonly { name: string; file: string; ms: number }[];
  readonly failures: readonly Failure[];
  /** The test files that reported at least one test. */
  readonly files: readonly string[];
  /** The test files in which something failed. */
  readonly failedFiles?: readonly string[];
}

export interface Stage {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** Of all its processes, where the system counts it. */
  readonly cpuSeconds?: number;
  /** The processor time of each part, with the files that shared it. */
  readonly parts?: readonly { readonly files: readonly string[]; readonly cpuSeconds: number }[];
  /** The test files this stage was given; "types and style" has none, and no tally. */
  readonly files: readonly string[];
  readonly tally?: Tally | undefined;
}

/** What a part counted, if all of its files that had failed were run again and passed. */
export const passedAgain = (tally: Tally): Tally => ({
  ...tally,
  passed: tally.passed + tally.failed,
  failed: 0,
  failures: [],
  failedFiles: [],
});

/** What the parts of a stage counted. Undefined if none of them did. */
export function sumOf(tallies: readonly Tally[]): Tally | undefined {
  if (tallies.length === 0) return undefined;
  const sum = (key: "passed" | "failed" | "skipped") => tallies.reduce((total, tally) => total + tally[key], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    tests: tallies.flatMap(({ tests }) => tests),
    failures: tallies.flatMap(({ failures }) => failures),
    files: tallies.flatMap(({ files }) => files),
  };
}

export interface Failure {
  readonly name: string;
  readonly where: string;
  /** The error's message, cut. */
  readonly why?: string;
}

const shownMax = 10;

export function summarize(
  stages: readonly Stage[],
  {
    leftBehind = [],
    unsteady = [],
    filesShown = shownMax,
  }: { leftBehind?: readonly string[]; unsteady?: readonly Failure[]; filesShown?: number } = {},
): { text: string; ok: boolean } {
  const sum = (key: "passed" | "failed" | "skipped") =>
    stages.reduce((total, { tally }) => total + (tally?.[key] ?? 0), 0);
  const silent = stages.flatMap(silences);
  const failed = sum("failed") + silent.length;
  const failures = [...stages.flatMap(({ tally }) => tally?.failures ?? []), ...silent];
  const lines = [
    // First and last, because often only a part of the output is seen.
    ...failedLines("Failed:", failures),
    ...slowest(
      stages.flatMap(({ tally }) => tally?.tests ?? []),
      filesShown,
    ),
    ...dearest(stages, filesShown),
    "",
    "Stages:",
    ...stages.map(stageLine),
    ...(leftBehind.length === 0 ? [] : ["", `Left in the temporary folder: ${leftovers(leftBehind)}`]),
    ...failedLines("Failed first and passed alone. Each is a fault of the test or of the program; mend it:", unsteady),
    ...failedLines("Failed:", failures),
    "",
    `${sum("passed")} passed, ${failed} failed, ${sum("skipped")} skipped${unsteady.length === 0 ? "" : `, ${unsteady.length} unsteady`}`,
  ];
  const ok = failed === 0 && sum("passed") > 0 && stages.every((stage) => stage.ok);
  return { text: `${lines.join("\n")}\n`, ok };
}

function failedLines(title: string, failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  return [
    "",
    title,
    ...failures.flatMap(({ name, where, why }) => [`  ✕ ${name}`, `      ${where}`, ...(why ? [`      ${why}`] : [])]),
  ];
}

// Failures that no test reports.
function silences({ name, ok, files, tally }: Stage): Failure[] {
  if (files.length === 0) return [];
  if (tally === undefined) return [{ name, where: `ended before it had counted any of its ${files.length} files` }];
  const reported = new Set(tally.files);
  const missing = files.filter((file) => !reported.has(file));
  if (missing.length > 0)
    return missing.map((file) => ({ name: `${name}: no test of this file reported`, where: file }));
  if (ok || tally.failed > 0) return [];
  return [{ name, where: "ended with an error although no test failed; its output above says more" }];
}

// Grouped by prefix, which identifies the test: the rest of a name is random.
function leftovers(names: readonly string[]): string {
  const byStem = Map.groupBy(names, (name) => name.replace(/[-.]\w{6,}$/, ""));
  const words = [...byStem].map(([stem, same]) => (same.length === 1 ? stem : `${stem} (${same.length})`));
  return words.toSorted().join(", ");
}

function stageLine(stage: Stage): string {
  const { name, ok, seconds, cpuSeconds = 0, files, tally } = stage;
  const verdict = ok && silences(stage).length === 0 ? "ok    " : "FAILED";
  const count = files.length === 0 ? "" : `${tally?.passed ?? 0} passed`;
  const others = [
    ...(tally?.failed ? [`${tally.failed} failed`] : []),
    ...(tally?.skipped ? [`${tally.skipped} skipped`] : []),
  ];
  const rest = others.length === 0 ? "" : `: ${others.join(", ")}`;
  const cpu = cpuSeconds === 0 ? "" : `${cpuSeconds.toFixed(0)} s CPU`;
  return `  ${verdict} ${seconds.toFixed(1).padStart(6)} s  ${cpu.padStart(10)}  ${count.padStart(11)}  ${name}${rest}`;
}

function slowest(tests: Tally["tests"], filesShown: number): string[] {
  const byFile = Map.groupBy(tests, ({ file }) => file);
  const files = [...byFile].map(([file, own]) => ({ file, ms: own.reduce((total, { ms }) => total + ms, 0) }));
  const line = (ms: number, words: string) => `  ${String(ms).padStart(6)} ms  ${words}`;
  return [
    "",
    "Slowest tests:",
    ...longest(tests, shownMax).map(({ ms, name, file }) => line(ms, `${name}  (${file})`)),
    "",
    "Slowest files:",
    ...longest(files, filesShown).map(({ ms, file }) => line(ms, file)),
  ];
}

// Nothing where the system does not count it.
function dearest(stages: readonly Stage[], shown: number): string[] {
  const parts = stages
    .flatMap(({ name, parts = [] }) => parts.map(({ files, cpuSeconds }) => ({ name, files, cpuSeconds })))
    .filter(({ cpuSeconds }) => cpuSeconds > 0)
    .toSorted((one, other) => other.cpuSeconds - one.cpuSeconds);
  if (parts.length === 0) return [];
  const lines = parts.slice(0, shown).map(({ name, files: [first = name, ...rest], cpuSeconds }) => {
    const more = rest.length === 0 ? "" : ` and ${rest.length} more`;
    return `  ${cpuSeconds.toFixed(1).padStart(6)} s CPU  ${first}${more}`;
  });
  return ["", "Most processor time:", ...lines];
}

const longest = <Timed extends { ms: number }>(items: readonly Timed[], count: number): Timed[] =>
  items.toSorted((one, other) => other.ms - one.ms).slice(0, count);

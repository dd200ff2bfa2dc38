// Collects node:test's events: failures are printed immediately, with their file and stack; the rest is counted. What the tests
// write is noise until one of them fails, so their last output follows the failures. A file that ended before its tests did is
// reported by its own path, with what was running in it. The totals, the failures, the slowest tests and the files that reported
// a test or a failure go to the file named by ATELIER_TEST_TALLY, even if the process is ended in the middle.

import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { inspect } from "node:util";

const lastWordsMax = 2_000;

export async function* report(source) {
  const tally = { passed: 0, failed: 0, skipped: 0, tests: [], failures: [] };
  const [reported, failedFiles] = [new Set(), new Set()];
  process.once("exit", () => keep({ ...tally, files: [...reported], failedFiles: [...failedFiles] }));
  // A loader runs each file as a suite named after the file's path. The tests of a suite come before the suite.
  let [sinceSuite, failedBefore] = [0, 0];
  // By file: what has begun and not ended, and what its process last wrote.
  const [running, said] = [new Map(), new Map()];
  for await (const { type, data } of source) {
    if (type === "test:stdout" || type === "test:stderr") {
      const file = resolve(data.file);
      said.set(file, `${said.get(file) ?? ""}${data.message}`.slice(-lastWordsMax));
    }
    if (type === "test:dequeue") runningIn(running, data.file).add(keyOf(data));
    if (type === "test:complete") runningIn(running, data.file).delete(keyOf(data));
    if (type !== "test:pass" && type !== "test:fail") continue;
    // A file or a describe block is not a test; its own failure (a hook, a syntax error) still counts.
    const isFile = data.details?.type === "test" && data.name === data.file;
    const isGroup = data.details?.type === "suite" || isFile;
    const isChildrensFault = data.details?.error?.failureType === "subtestsFailed";
    if (!isGroup || data.skip !== undefined) {
      reported.add(pathOf(data.file));
      sinceSuite += 1;
    }
    if (isGroup && data.nesting === 0) {
      if (sinceSuite > 0 || type === "test:fail") reported.add(data.name);
      if (tally.failed > failedBefore || (type === "test:fail" && !isCutOff(data))) failedFiles.add(data.name);
      [sinceSuite, failedBefore] = [0, tally.failed];
    }
    if (type === "test:pass") {
      if (isGroup) continue;
      if (data.skip !== undefined) tally.skipped += 1;
      else tally.passed += 1;
    } else {
      if (isChildrensFault) continue;
      tally.failed += 1;
      const failure = isCutOff(data) ? cutOff(data, running) : failedTest(data);
      if (isCutOff(data))
        for (const path of filesIn(data.file).map(pathOf)) {
          reported.add(path);
          failedFiles.add(path);
        }
      tally.failures.push({ name: failure.name, where: failure.where, why: inShort(failure.words) });
      yield `\n✕ ${failure.name}\n  ${failure.where}\n${indent(failure.words)}\n`;
    }
    const ms = data.details?.duration_ms ?? 0;
    if (!isGroup && ms > 300) tally.tests.push({ name: data.name, file: pathOf(data.file), ms: Math.round(ms) });
  }
  if (tally.failed > 0)
    for (const [file, words] of said)
      yield `\nLast output of ${filesIn(file).map(pathOf).join(", ")}:\n${indent(words.trimEnd())}\n`;
}

function keep(tally) {
  if (process.env.ATELIER_TEST_TALLY) writeFileSync(process.env.ATELIER_TEST_TALLY, JSON.stringify(tally));
}

const pathOf = (file) => (file ? relative(process.cwd(), file) : "");
const keyOf = ({ name, line, column }) => JSON.stringify([name, line, column]);

function runningIn(running, file) {
  if (!running.has(file)) running.set(file, new Set());
  return running.get(file);
}

function failedTest(data) {
  const error = data.details?.error;
  return {
    name: data.name,
    where: data.file ? whereOf(data) : "",
    words: wordsOf(error?.cause ?? error),
  };
}

// The line numbers of a file that loads others mean nothing.
const whereOf = ({ file, line }) =>
  isLoader(file) ? filesIn(file).map(pathOf).join(", ") : `${pathOf(file)}:${line ?? 0}`;

// A whole file failed: its process ended with an error that none of its tests reported.
const isCutOff = ({ name, file, details, nesting }) =>
  nesting === 0 &&
  details?.error?.failureType === "testCodeFailure" &&
  isFileName(name, file) &&
  !details.error.cause?.stack;
const isFileName = (name, file) =>
  file !== undefined && (name === file || file.endsWith(name)) && /\.m?[jt]s$/.test(name);

function cutOff({ file, details }, running) {
  const paths = filesIn(file);
  const { exitCode, signal } = details.error;
  const ended = signal ? `was killed (${signal})` : `ended with exit code ${exitCode ?? "unknown"}`;
  const open = paths.flatMap((path) =>
    [...(running.get(path) ?? [])].map((key) => `  ${JSON.parse(key)[0]}  (${pathOf(path)}:${JSON.parse(key)[1]})`),
  );
  const words = [
    `Its process ${ended} before its tests had ended.`,
    ...(open.length === 0 ? ["None of its tests was running."] : ["Running tests:", ...open]),
  ];
  return { name: paths.map(pathOf).join(", "), where: paths.map(pathOf).join(", "), words: words.join("\n") };
}

const isLoader = (file) => /\d{3}\.\w+\.test\.mjs$/.test(file);

// A file that loads others (scripts/test.mjs) is reported as those.
function filesIn(file) {
  if (!isLoader(file)) return [file];
  try {
    const urls = [...readFileSync(file, "utf8").matchAll(/await import\("(file:[^"]+)"\)/g)];
    return urls.length === 0 ? [file] : urls.map(([, url]) => decodeURIComponent(new URL(url).pathname));
  } catch {
    return [file];
  }
}

// Anything can be thrown, even without a message.
const saidOf = (error) => (typeof error?.stack === "string" ? error.stack : inspect(error ?? "failed", { depth: 2 }));

// A property test's error names the counterexample; what really went wrong is its cause.
const wordsOf = (error) => `${saidOf(error)}${error?.cause ? `\nCaused by: ${wordsOf(error.cause)}` : ""}`;

// The message, without the stack.
const inShort = (words) =>
  words
    .split(/\n\s+at /, 1)[0]
    .replace(/\s+/g, " ")
    .slice(0, 300)
    .trimEnd();

const indent = (text) => text.replace(/^/gm, "    ");

// node:test takes the default export of a reporter module.
export { report as default };

// The result of a batch: one table for people and pipes, one object for programs, and an exit code that says whether all of them
// succeeded.
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { jsonText } from "../json-text.ts";
import { secondsText } from "../terminal/progress-line.ts";
import type { BatchEntry } from "./batch-entry.ts";
import { durationOf, marks, sumOfCredits } from "./job-facts.ts";

interface ResultOptions {
  readonly label: string;
  readonly jsonLines: boolean;
  readonly isInterrupted: boolean;
  readonly isTerminal: boolean;
}

export function batchResult(entries: readonly BatchEntry[], options: ResultOptions): CommandResult {
  const { label, jsonLines, isInterrupted } = options;
  const good = entries.filter(({ exitCode }) => exitCode === 0);
  const data = { label, succeeded: good.length, jobs: entries.map(entryData) };
  const codes = [...new Set(entries.map((entry) => entry.exitCode).filter((code) => code !== 0))];
  const exitCode = isInterrupted
    ? exitCodes.interrupted
    : codes.length > 1
      ? exitCodes.ran_and_failed
      : (codes[0] ?? 0);
  const outcome = `${good.length} of ${entries.length} succeeded`;
  const credits = sumOfCredits(entries.flatMap(({ job }) => job?.creditsUsed ?? []));
  const text = jsonLines ? jsonText({ type: "result", ...data }) : tableOf(entries, options);
  const afterwards = `${exitCode === 0 ? "✓" : "✕"} ${outcome}${credits === null ? "" : `   ${credits} credits`}`;
  return {
    data,
    text,
    ...(jsonLines ? {} : { afterwards }),
    ...(exitCode === 0 ? {} : { exitCode, problem: `${outcome}.` }),
  };
}

// With --no-wait: the ids, and the jobs that could not be submitted.
export function submittedResult(
  entries: readonly BatchEntry[],
  { label, jsonLines }: Pick<ResultOptions, "label" | "jsonLines">,
): CommandResult {
  const data = { label, jobs: entries.map(entryData) };
  const ids = entries.flatMap(({ job }) => job?.id ?? []);
  const refused = entries.filter(({ job }) => job === null);
  const problem = `${refused.length} of ${entries.length} were not submitted.`;
  return {
    data,
    text: jsonLines ? jsonText({ type: "result", ...data }) : ids.join("\n"),
    ...(refused.length === 0 ? {} : { exitCode: refused[0]?.exitCode ?? exitCodes.unexpected, problem }),
  };
}

const entryData = ({ run, seed, ended, job, saved, problem, state }: BatchEntry) => ({
  number: run.number,
  ...(run.file === null ? {} : { file: run.file }),
  seed,
  status: state,
  job: ended ?? job?.current ?? null,
  credits_used: job?.creditsUsed ?? null,
  outputs: saved.map(({ file, output }) => ({ file, ...output })),
  ...(problem === null ? {} : { problem }),
});

function tableOf(entries: readonly BatchEntry[], { label, isTerminal }: ResultOptions): CommandResult["text"] {
  const hasFiles = entries.some(({ run }) => run.file !== null);
  const rows = entries.map(({ run, seed, state, ended, job, saved }) => {
    const ms = ended === null ? null : durationOf(ended);
    const files = saved.map(({ file }) => file).join(" ");
    return [
      ...(isTerminal ? [String(run.number)] : [job?.id ?? null]),
      label,
      ...(hasFiles ? [run.file] : []),
      seed === null ? null : String(seed),
      isTerminal ? `${marks[state] ?? "✕"} ${state.replace("_", " ")}` : state,
      ms === null ? null : isTerminal ? secondsText(ms) : String(ms),
      job?.creditsUsed ?? null,
      files === "" ? null : files,
    ];
  });
  const columns = [
    isTerminal ? "#" : "id",
    "label",
    ...(hasFiles ? ["from"] : []),
    "seed",
    "state",
    isTerminal ? "time" : "ms",
    "credits",
    "files",
  ];
  return { columns, rows };
}

// Follows a job to its end, saves its outputs as they come and shows progress. The caller decides what Ctrl-C does: `run`
// cancels the job it submitted, `jobs watch` only stops watching. A second one always exits immediately.
import { type Atelier, AtelierError, type Job, type JobHandle, type Output, writeJson } from "@atelier/sdk";
import type { CommandInput, CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { secondsText, sizeText } from "../terminal/progress-line.ts";
import { pictureTerminal, pictureText } from "../terminal/terminal-picture.ts";
import { WatchScreen } from "../terminal/watch-screen.ts";
import { type OutputTarget, type SavedOutput, saveOutput } from "./save-outputs.ts";
import { reportWaiting } from "./waiting-text.ts";

interface WatchOptions {
  readonly atelier: Atelier;
  readonly job: JobHandle;
  // Where outputs go; null saves nothing.
  readonly target: OutputTarget | null;
  readonly jsonLines: boolean;
  readonly isShowing: boolean;
  // Other facts about the run, for programs.
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly onInterrupt: "cancel" | "leave";
}

export async function watchJob(options: WatchOptions, input: CommandInput): Promise<CommandResult> {
  const { job } = options;
  const pictures = options.isShowing && input.isTerminal ? pictureTerminal(input.env) : null;
  if (options.isShowing && pictures === null) input.say("! This terminal cannot show images.");
  const screen = new WatchScreen(input, { jsonLines: options.jsonLines, pictures });
  const leaving = new AbortController();
  const interrupt = interrupter(options, screen, leaving, input);
  process.on("SIGINT", interrupt);
  const ending = new AbortController();
  try {
    if (!input.json && !options.jsonLines) reportWaiting(job, (line) => screen.say(line), ending.signal);
    const saves = outputSaver(options, leaving.signal);
    const ended = await toItsEnd(options, screen, saves, leaving.signal);
    const saved = await saves.all();
    screen.close();
    if (pictures !== null) await showSaved(saved, pictures, input);
    if (ended.status !== "succeeded" && !input.json) {
      input.say(`✕ ${problemOf(ended)}`);
      input.say(`  → atelier jobs show ${job.id}`);
    }
    return jobResult(ended, saved, options);
  } catch (error) {
    if (leaving.signal.aborted) return leftResult(job.id, screen);
    // Whatever went wrong, the job is not lost.
    const folderOption = options.target === null ? "" : ` -o ${options.target.given}`;
    if (!input.json)
      screen.say(`! The job may still be running. Watch it again: atelier jobs watch ${job.id}${folderOption}`);
    throw error;
  } finally {
    ending.abort();
    process.off("SIGINT", interrupt);
    screen.close();
  }
}

// We wait this long for a server that restarts, because the job is recorded.
const patienceSeconds = 60;

export async function toItsEnd(
  { job }: Pick<WatchOptions, "job">,
  screen: Pick<WatchScreen, "event" | "say">,
  saves: ReturnType<typeof outputSaver>,
  signal: AbortSignal,
): Promise<Job> {
  const seen = new Set<string>();
  for (let lostAt: number | null = null; ; ) {
    try {
      for await (const event of job.events({ signal })) {
        lostAt = null;
        if (event.type === "output") {
          if (seen.has(event.output.id)) continue;
          seen.add(event.output.id);
          saves.save(event.output);
        }
        screen.event(event);
      }
      const ended = await job.refresh({ signal });
      for (const output of ended.outputs) saves.save(output);
      return ended;
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error;
      const now = process.uptime();
      if (lostAt === null) screen.say(`! The server is not responding; waiting up to ${patienceSeconds} s …`);
      lostAt ??= now;
      if (now - lostAt > patienceSeconds) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof AtelierError && (error.code === "connection_failed" || [502, 503, 504].includes(error.status));

function interrupter(
  options: WatchOptions,
  screen: WatchScreen,
  leaving: AbortController,
  input: CommandInput,
): () => void {
  let interrupts = 0;
  return () => {
    interrupts++;
    if (interrupts > 1) return input.exit(130);
    if (options.onInterrupt === "leave") {
      leaving.abort();
      return;
    }
    screen.say("Canceling the job on the server … (press Ctrl-C again to exit now)");
    options.job.cancel().catch((error: unknown) => {
      screen.say(`! Could not cancel the job: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
}

export function outputSaver({ atelier, target }: Pick<WatchOptions, "atelier" | "target">, signal: AbortSignal) {
  const saves = new Map<string, Promise<SavedOutput>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    save(output: Output): void {
      if (target === null || saves.has(output.id)) return;
      const saving = saveOutput(atelier, output, target.fileOf(output, saves.size + 1), { signal, after: last });
      last = saving.catch(() => undefined);
      saves.set(output.id, saving);
    },
    all: () => Promise.all(saves.values()),
  };
}

export async function showSaved(
  saved: readonly SavedOutput[],
  terminal: NonNullable<ReturnType<typeof pictureTerminal>>,
  input: CommandInput,
): Promise<void> {
  const { readFile } = await import("node:fs/promises");
  for (const { file, output } of saved) {
    const text = pictureText(terminal, await readFile(file), output.content_type);
    if (text !== null) input.say(text);
  }
}

function leftResult(id: string, screen: WatchScreen): CommandResult {
  const problem = `The job is still running. Watch it again: atelier jobs watch ${id}     cancel it: atelier jobs cancel ${id}`;
  screen.say(problem);
  return { data: { id, is_watched: false }, text: "", exitCode: 130, problem };
}

function jobResult(
  job: Job,
  saved: readonly SavedOutput[],
  { job: { creditsUsed }, jsonLines, facts }: Pick<WatchOptions, "job" | "jsonLines" | "facts">,
): CommandResult {
  const outputs = saved.map(({ file, output }) => ({ file, ...output }));
  const data = { ...facts, job, credits_used: creditsUsed, outputs };
  const cost = creditsUsed === null || creditsUsed === "0" ? "" : `   ${creditsUsed} credits`;
  const files = saved.map(({ file, output }) => `  ${file}   ${sizeText(output.size_bytes)}`);
  const lines = [...files, `  job ${job.id}${cost}`];
  const outcome = job.status === "succeeded" ? [`✓ succeeded${timesText(job)}`] : [];
  const text = jsonLines ? writeJson({ type: "result", ...data }) : [...outcome, ...lines].join("\n");
  if (job.status === "succeeded") return { data, text };
  return { data, text, exitCode: exitCodeOf(job), problem: problemOf(job) };
}

function timesText({ metrics, outputs_reused: isReused }: Job): string {
  const ran = metrics?.["execution_ms"] ?? null;
  const queued = metrics?.["queue_ms"] ?? null;
  return [
    ran === null ? "" : ` in ${secondsText(ran)}`,
    queued === null ? "" : `   queued ${secondsText(queued)}`,
    isReused === true ? "   partly reused" : "",
  ].join("");
}

export function problemOf({ status, error }: Job): string {
  const where = error?.node_id ? ` at node ${error.node_id} (${error.class_type ?? "?"})` : "";
  return `${status}${where}: ${error?.message ?? `The job was ${status}.`}`;
}

export function exitCodeOf({ status }: Job): number {
  if (status === "canceled") return 130;
  return status === "expired" ? exitCodes.time : exitCodes.ran_and_failed;
}

// Follows several jobs to their ends, oldest first and a few at a time: those further back are waiting anyway, and a job that
// has ended meanwhile takes a single read. Outputs are saved as they come; a failed job does not stop the others.
import type { CommandInput } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { exitCodeOf as exitCodeOfFailure, toFailure } from "../failure.ts";
import type { Asked } from "../server/over-http.ts";
import type { BatchScreen } from "../terminal/batch-screen.ts";
import { inParallel } from "../terminal/in-parallel.ts";
import type { BatchEntry } from "./batch-entry.ts";
import type { OutputNames } from "./run-names.ts";
import { exitCodeOf, outputSaver, problemOf, toItsEnd } from "./watch-job.ts";

const watchedAtOnce = 8;

interface WatchOptions {
  readonly names: OutputNames;
  readonly screen: BatchScreen;
  readonly signal: AbortSignal;
}

export async function watchBatch(asked: Asked, entries: readonly BatchEntry[], options: WatchOptions): Promise<void> {
  await inParallel(entries, watchedAtOnce, async (entry) => {
    await entry.submitted;
    if (entry.job === null) return;
    try {
      await watchOne(asked, entry, entries.length, options);
    } catch (error) {
      const failure = toFailure(error, "run");
      entry.problem ??= `The job may still be running: atelier jobs watch ${entry.job.id}   (${failure.message})`;
      entry.exitCode ||= exitCodeOfFailure(failure);
    }
    options.screen.ended(entry);
  });
}

async function watchOne(
  { atelier }: Asked,
  entry: BatchEntry,
  count: number,
  { names, screen, signal }: WatchOptions,
): Promise<void> {
  const { job, graph, seed, run } = entry;
  if (job === null) return;
  const target = names.targetOf({ jobId: job.id, graph, seed, file: run.file, number: run.number, count });
  const saves = outputSaver({ atelier, target }, signal);
  const own = {
    event: screen.eventsOf(entry),
    say: (line: string) => screen.sayOnce(line),
  };
  const ended = await toItsEnd({ job }, own, saves, signal);
  entry.ended = ended;
  entry.state = ended.status;
  if (ended.status !== "succeeded") {
    entry.problem = problemOf(ended);
    entry.exitCode = exitCodeOf(ended);
  }
  entry.saved = await saves.all();
}

// Ctrl-C stops submitting and cancels every job submitted so far. A second one exits immediately.
export function batchInterrupter(
  entries: readonly BatchEntry[],
  screen: Pick<BatchScreen, "say">,
  input: CommandInput,
): { readonly stopping: AbortSignal; cancel(entry: BatchEntry): void; end(): void } {
  const stopping = new AbortController();
  const cancel = (entry: BatchEntry): void => {
    if (!stopping.signal.aborted || entry.job === null || entry.ended !== null) return;
    entry.job.cancel().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      screen.say(`! Could not cancel job ${entry.job?.id}: ${reason}`);
    });
  };
  const interrupt = (): void => {
    if (stopping.signal.aborted) input.exit(exitCodes.interrupted);
    stopping.abort();
    screen.say("Canceling all jobs on the server … (press Ctrl-C again to exit now)");
    for (const entry of entries) cancel(entry);
  };
  process.on("SIGINT", interrupt);
  return { stopping: stopping.signal, cancel, end: () => void process.off("SIGINT", interrupt) };
}

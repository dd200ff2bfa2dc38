// `atelier run workflow.json --repeat 8 --seed random`, `--each photos/*.png`: submits, watches and saves several jobs of one
// graph together. Ctrl-C cancels every job that was submitted.
import type { CommandResult } from "@atelier/server/commands";
import { openSource } from "../files/upload-file.ts";
import type { Asked } from "../server/over-http.ts";
import { BatchScreen } from "../terminal/batch-screen.ts";
import { type EarlyInterrupts, nothingSubmitted } from "../terminal/early-interrupts.ts";
import { pictureTerminal } from "../terminal/terminal-picture.ts";
import { BatchEntry } from "./batch-entry.ts";
import { batchResult, submittedResult } from "./batch-result.ts";
import { type OutputNames, readLabel } from "./run-names.ts";
import { type Submission, submitBatch } from "./submit-batch.ts";
import { batchInterrupter, watchBatch } from "./watch-batch.ts";
import { showSaved } from "./watch-job.ts";

export interface Prepared extends Submission {
  readonly names: OutputNames;
}

export async function runBatch(asked: Asked, prepared: Prepared, early: EarlyInterrupts): Promise<CommandResult> {
  const { call, input } = asked;
  const { plan, names } = prepared;
  // Open them all before the first one is sent, so an unreadable file fails early.
  for (const file of new Set(plan.runs.flatMap((run) => run.file ?? []))) await openSource(file);
  const entries = plan.runs.map((run) => new BatchEntry(run));
  const [label, jsonLines] = [readLabel(call), call.has("jsonl")];
  const screen = new BatchScreen(input, entries, { title: label, jsonLines });
  early.end();
  const interrupts = batchInterrupter(entries, screen, input);
  const leaving = new AbortController();
  try {
    const report = (entry: BatchEntry): void => {
      screen.submitted(entry);
      interrupts.cancel(entry);
    };
    const say = { plain: (line: string) => screen.plain(line), always: (line: string) => screen.say(line) };
    const submitting = submitBatch(asked, prepared, entries, { stopping: interrupts.stopping, report, say });
    if (call.has("no-wait")) {
      await submitting;
      screen.close();
      return submittedResult(entries, { label, jsonLines });
    }
    const watching = watchBatch(asked, entries, { names, screen, signal: leaving.signal });
    watching.catch(() => undefined);
    await submitting;
    await watching;
    screen.close();
    await showPictures(entries, asked);
    const isInterrupted = interrupts.stopping.aborted;
    return batchResult(entries, { label, jsonLines, isInterrupted, isTerminal: input.isTerminal });
  } catch (error) {
    if (!interrupts.stopping.aborted || entries.some(({ job }) => job !== null)) throw error;
    return nothingSubmitted(input);
  } finally {
    leaving.abort();
    interrupts.end();
    screen.close();
  }
}

async function showPictures(entries: readonly BatchEntry[], { call, input }: Asked): Promise<void> {
  const pictures = call.has("show") && input.isTerminal ? pictureTerminal(input.env) : null;
  if (pictures === null) return;
  for (const { saved } of entries) await showSaved(saved, pictures, input);
}

// Shows several running jobs: on a terminal one redrawn line with the counts; elsewhere a plain line as each ends; with --jsonl
// every event of every job.
import { hasEnded, type JobEvent } from "@atelier/sdk";
import type { CommandInput } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import type { BatchEntry } from "../jobs/batch-entry.ts";
import { jsonText } from "../json-text.ts";
import { cut } from "../wrap.ts";
import { secondsText } from "./progress-line.ts";
import { eventLine } from "./watch-screen.ts";

const repeatSeconds = 30;

export class BatchScreen {
  readonly #input: CommandInput;
  readonly #entries: readonly BatchEntry[];
  readonly #options: { readonly title: string; readonly jsonLines: boolean };
  readonly #startedSeconds = process.uptime();
  readonly #saidSeconds = new Map<string, number>();
  readonly #ticking = setInterval(() => this.#draw(), 200);

  constructor(
    input: CommandInput,
    entries: readonly BatchEntry[],
    options: { readonly title: string; readonly jsonLines: boolean },
  ) {
    this.#input = input;
    this.#entries = entries;
    this.#options = options;
  }

  submitted(entry: BatchEntry): void {
    const { number, file } = entry.run;
    if (this.#options.jsonLines) {
      const id = entry.job?.id ?? null;
      this.#line({ type: "submitted", number, job_id: id, seed: entry.seed, file, problem: entry.problem });
    }
    if (entry.job === null && entry.exitCode !== exitCodes.interrupted)
      this.#print(`✕ ${this.#nameOf(entry)}   ${entry.problem}`);
    this.#draw();
  }

  eventsOf(entry: BatchEntry): (event: JobEvent) => void {
    return (event) => {
      if (event.type === "status") entry.state = event.status;
      if (event.type === "progress") entry.share = event.progress.value;
      if (this.#options.jsonLines && event.type !== "preview")
        this.#line({ number: entry.run.number, job_id: entry.job?.id, ...eventLine(event) });
    };
  }

  // Successes are in the table at the end.
  ended(entry: BatchEntry): void {
    const ms = entry.ended?.metrics?.["execution_ms"] ?? null;
    const facts = [
      ...(ms === null ? [] : [secondsText(ms)]),
      ...entry.saved.map(({ file }) => file),
      ...(entry.problem === null ? [] : [entry.problem]),
    ];
    const line = `${entry.problem === null ? "✓" : "✕"} ${[this.#nameOf(entry), ...facts].join("   ")}`;
    if (entry.state === "canceled") this.#draw();
    else if (entry.problem !== null) {
      this.#print(line);
      if (entry.job !== null) this.#print(`  → atelier jobs show ${entry.job.id}`);
    } else this.plain(line);
  }

  // Prints nothing on a terminal, where the redrawn line is enough.
  plain(line: string): void {
    if (!this.#draw()) this.#print(line);
  }

  #nameOf({ run, seed }: BatchEntry): string {
    const parts = [`${run.number} of ${this.#entries.length}`, run.file, seed === null ? null : `seed ${seed}`];
    return parts.filter((part) => part !== null).join("   ");
  }

  #print(line: string): void {
    if (!this.#input.json && !this.#options.jsonLines) this.say(line);
  }

  #line(value: object): void {
    this.#input.line(jsonText(value));
  }

  #draw(): boolean {
    if (this.#input.json || this.#options.jsonLines) return false;
    const seconds = process.uptime() - this.#startedSeconds;
    return this.#input.redraw((columns) =>
      batchLine(this.#entries, { ...this.#options, seconds, columns }, this.#input),
    );
  }

  // Prints a line once, even if several watchers report it.
  sayOnce(line: string): void {
    const now = process.uptime();
    if (now - (this.#saidSeconds.get(line) ?? Number.NEGATIVE_INFINITY) < repeatSeconds) return;
    this.#saidSeconds.set(line, now);
    this.say(line);
  }

  say(line: string): void {
    if (this.#input.json) return;
    this.#input.redraw("");
    this.#input.say(line);
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#input.redraw("");
  }
}

interface LineFacts {
  readonly title: string;
  readonly seconds: number;
  readonly columns: number;
}

export function batchLine(
  entries: readonly Pick<BatchEntry, "state" | "share">[],
  { title, seconds, columns }: LineFacts,
  { isUnicode }: Pick<CommandInput, "isUnicode">,
): string {
  const isOver = ({ state }: (typeof entries)[number]) =>
    state === "not_submitted" || (state !== "waiting" && hasEnded({ status: state }));
  const count = (...states: string[]) => entries.filter(({ state }) => states.includes(state)).length;
  const done = entries.filter(isOver).length;
  const share = entries.reduce((sum, entry) => sum + (isOver(entry) ? 1 : entry.share), 0) / entries.length;
  const counts = [
    `${done} of ${entries.length} done`,
    ...some(count("running", "canceling"), "running"),
    ...some(count("queued"), "queued"),
    ...some(count("waiting"), "to submit"),
    ...some(count("failed", "expired", "not_submitted"), "failed"),
  ].join(", ");
  const tail = `${`${Math.floor(share * 100)}%`.padStart(4)}   ${counts}   ${seconds.toFixed(1)} s`;
  const room = Math.max(0, columns - tail.length - 4);
  const nameCells = Math.min(20, title.length, Math.floor(room / 2));
  const barCells = Math.max(0, Math.min(20, room - nameCells));
  const full = Math.floor(share * barCells);
  const [filled, left] = isUnicode ? ["━", "─"] : ["#", "-"];
  const bar = filled.repeat(full) + left.repeat(barCells - full);
  return `${isUnicode ? "▶" : ">"} ${cut(title, nameCells)} ${bar} ${tail}`;
}

const some = (count: number, word: string): string[] => (count === 0 ? [] : [`${count} ${word}`]);

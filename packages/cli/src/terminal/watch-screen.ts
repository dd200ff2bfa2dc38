// Shows a running job: one redrawn line on a terminal, a plain line per change elsewhere, and with --jsonl every event as an
// object.
import { hasEnded, type JobEvent, type Progress } from "@atelier/sdk";
import type { CommandInput } from "@atelier/server/commands";
import { jsonText } from "../json-text.ts";
import { EndedNodes } from "./node-lines.ts";
import { progressLine } from "./progress-line.ts";
import { type PictureTerminal, pictureText } from "./terminal-picture.ts";

interface ScreenOptions {
  readonly jsonLines: boolean;
  // Set if previews are wanted and the terminal can draw them.
  readonly pictures: PictureTerminal | null;
}

const previewEverySeconds = 2;

export class WatchScreen {
  readonly #input: CommandInput;
  readonly #options: ScreenOptions;
  // From process.uptime, because `performance` would have to be loaded.
  readonly #startedSeconds = process.uptime();
  // Keeps the seconds counting while nothing else changes.
  readonly #ticking = setInterval(() => this.#last && this.#progress(this.#last), 200);
  readonly #ended = new EndedNodes();
  #last: Progress | null = null;
  #shown = "";
  #previewedSeconds = Number.NEGATIVE_INFINITY;

  constructor(input: CommandInput, options: ScreenOptions) {
    this.#input = input;
    this.#options = options;
  }

  event(event: JobEvent): void {
    if (this.#options.jsonLines) {
      if (event.type !== "preview") this.#input.line(jsonText(eventLine(event)));
      return;
    }
    if (event.type === "status") this.#status(event);
    if (event.type === "progress") this.#progress(event.progress);
    if (event.type === "preview") this.#preview(event.bytes, event.contentType);
  }

  #status({ status, queuePosition }: Extract<JobEvent, { type: "status" }>): void {
    if (hasEnded({ status })) {
      this.#last = null;
      return;
    }
    const ahead = status === "queued" && queuePosition !== null && queuePosition > 0;
    this.#draw(ahead ? `queued, ${queuePosition} ahead` : status, status);
  }

  #progress(progress: Progress): void {
    if (progress !== this.#last) this.#nodes(progress);
    this.#last = progress;
    const seconds = process.uptime() - this.#startedSeconds;
    const plain = `running ${Math.floor(progress.value * 10) * 10}%`;
    this.#draw((columns) => progressLine(progress, seconds, this.#input.isUnicode, columns), plain);
  }

  // Printed above the redrawn line, if there is one.
  #nodes(progress: Progress): void {
    if (this.#input.json || !this.#input.redraw("")) return;
    for (const line of this.#ended.linesOf(progress)) this.#input.say(line);
  }

  #preview(bytes: Uint8Array, contentType: string): void {
    const { pictures } = this.#options;
    const now = process.uptime();
    if (pictures === null || now - this.#previewedSeconds < previewEverySeconds) return;
    const text = pictureText(pictures, bytes, contentType);
    if (text === null) return;
    this.#previewedSeconds = now;
    this.say(text);
    if (this.#last) this.#progress(this.#last);
  }

  // Without a terminal, each distinct line is printed once.
  #draw(line: string | ((columns: number) => string), plain: string): void {
    if (this.#input.json) return;
    if (this.#input.redraw(line)) return;
    if (plain === this.#shown) return;
    this.#shown = plain;
    this.#input.say(plain);
  }

  say(line: string): void {
    this.clear();
    this.#input.say(line);
  }

  clear(): void {
    this.#input.redraw("");
  }

  close(): void {
    clearInterval(this.#ticking);
    this.clear();
  }
}

// In the words of the server's event stream.
export function eventLine(event: Exclude<JobEvent, { type: "preview" }>): object {
  if (event.type === "status") return { type: event.type, status: event.status, queue_position: event.queuePosition };
  if (event.type === "progress") return { type: event.type, ...event.progress };
  return { ...event.output, type: event.type, output_type: event.output.type };
}

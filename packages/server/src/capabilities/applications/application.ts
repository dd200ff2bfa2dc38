// An application that runs graphs, as the rest of the house sees it: one per address, one shared socket, and truth by
// HTTP. What it says is a stranger's word: everything read from it is bounded and checked before it is believed.
import type { ApplicationClasses } from "./classes/application-classes.ts";
import type { ApplicationEvent } from "./line/read-frame.ts";
import type { HistoryEntry, QueueSnapshot } from "./prompts/read-prompts.ts";

export interface ApplicationDevice {
  readonly name: string;
  readonly type: string;
  readonly memoryBytesTotal: number | null;
  readonly memoryBytesFree: number | null;
}

export interface ApplicationFacts {
  // As the application writes it; "unknown" when it does not.
  readonly version: string;
  // The largest input it takes; null when it does not say.
  readonly uploadBytesMax: number | null;
  readonly devices: readonly ApplicationDevice[];
  // By folder: `checkpoints` → file names. Empty where it does not list them.
  readonly modelsKnown: Readonly<Record<string, readonly string[]>>;
  // What the newest graphs here used and so probably still stands in memory, newest first.
  readonly modelsLoaded: readonly string[];
}

export type ApplicationState = "unknown" | "up" | "down";

export type Accepted =
  | { readonly kind: "accepted"; readonly promptId: string; readonly refused: NodeRefusals }
  // It read the graph and will not run it.
  | { readonly kind: "refused"; readonly message: string; readonly refused: NodeRefusals };

// Node id → what is wrong with it, for people, without paths of that machine.
export type NodeRefusals = ReadonlyMap<string, { readonly classType: string; readonly message: string }>;

export interface ViewedFile {
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: string | null;
}

export interface FileLocation {
  readonly name: string;
  readonly subfolder: string;
  readonly folder: "input" | "output" | "temp";
}

export interface Watcher {
  // What the socket says about this prompt. A hint: events may be missing, late or doubled.
  onEvent(event: ApplicationEvent): void;
  // The socket came back, or went: whatever was known may be wrong.
  onConnection(isOpen: boolean): void;
}

// Every call rejects with an ApplicationProblem and with nothing else.
export interface Application {
  readonly url: string;
  state(): ApplicationState;
  // Resolves when it is up, or with false after `waitMs` or when the signal fires.
  whenUp(waitMs: number, signal?: AbortSignal): Promise<boolean>;
  // Null until it was first reached; afterwards the newest known, also while it is down.
  classes(): ApplicationClasses | null;
  // Reads the classes again soon (files or models were added). Never waits, never rejects.
  refreshClasses(): void;
  describe(): Promise<ApplicationFacts>;
  // `GET /object_info` as it stands there.
  objectInfo(): Promise<Buffer>;

  submit(asked: {
    readonly promptId: string;
    // JSON text of the graph.
    readonly graph: string;
    readonly credential: string | null;
    // JSON text of what saved files carry besides the graph; null or absent: nothing.
    readonly pngInfo?: string | null;
  }): Promise<Accepted>;
  queue(): Promise<QueueSnapshot>;
  // Null: nothing is known of it, or not yet.
  history(promptId: string): Promise<HistoryEntry | null>;
  // Takes it out of the queue or interrupts it, this prompt and no other. True: it is out or was told to stop.
  cancel(promptId: string): Promise<boolean>;
  // Takes it out of the queue if it waits there; what runs goes on.
  removePending(promptId: string): Promise<void>;
  // Answers the name under which a graph can use it, which need not be the one asked for.
  upload(file: {
    readonly name: string;
    readonly source: AsyncIterable<Uint8Array>;
    readonly signal?: AbortSignal;
  }): Promise<string>;
  // Null: it does not have that file.
  view(location: FileLocation, signal?: AbortSignal): Promise<ViewedFile | null>;

  // Closed: nothing comes by itself, everything has to be asked.
  isSocketOpen(): boolean;
  // Returns the way to stop watching.
  watch(promptId: string, watcher: Watcher): () => void;
  // The models that a graph which is about to run names.
  noteModels(names: readonly string[]): void;
  modelsLoaded(): readonly string[];
  close(): Promise<void>;
}

export type ApplicationProblemCode =
  // No connection, a reset, or no answer in time: what was asked may or may not have happened.
  | "unreachable"
  // An answer that the protocol does not know.
  | "garbage"
  // The input is larger than it takes.
  | "too_large"
  | "closed";

export class ApplicationProblem extends Error {
  readonly code: ApplicationProblemCode;

  constructor(code: ApplicationProblemCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "ApplicationProblem";
    this.code = code;
  }
}

// An application that runs graphs, as the rest of the server sees it: one per address, with one shared socket for hints
// and HTTP for the truth. Its answers are untrusted: everything read from it is bounded and checked before it is
// believed.
import type { ApplicationClasses } from "./classes/application-classes.ts";
import type { ApplicationEvent } from "./line/read-frame.ts";
import type { HistoryEntry, QueueSnapshot } from "./prompts/read-prompts.ts";

export interface ApplicationFacts {
  // As the application writes it; "unknown" if it does not say.
  readonly version: string;
  // The command line it was started with. Empty if it does not say.
  readonly startArguments: readonly string[];
  // Models that recent graphs used, so they are probably still in memory. Newest first.
  readonly modelsLoaded: readonly string[];
}

export type ApplicationState = "unknown" | "up" | "down";

export type Accepted =
  | { readonly kind: "accepted"; readonly promptId: string; readonly refused: NodeRefusals }
  // It read the graph and refused to run it.
  | { readonly kind: "refused"; readonly message: string; readonly refused: NodeRefusals };

// Node id → what is wrong with it, for people, without that machine's paths.
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
  // What the socket says about this prompt. Only a hint: events may be missing, late or duplicated.
  onEvent(event: ApplicationEvent): void;
  // The socket connected or disconnected; anything known before may be wrong.
  onConnection(isOpen: boolean): void;
}

// Every call rejects only with an ApplicationProblem.
export interface Application {
  readonly url: string;
  state(): ApplicationState;
  // Resolves when it is up, or with false after `waitMs` or when the signal fires.
  whenUp(waitMs: number, signal?: AbortSignal): Promise<boolean>;
  // Null until it was first reached. After that the newest known, even while it is down.
  classes(): ApplicationClasses | null;
  // Reads the classes again soon, because files or models were added. Never waits, never rejects.
  refreshClasses(): void;
  describe(): Promise<ApplicationFacts>;
  // The raw body of `GET /object_info`.
  objectInfo(): Promise<Buffer>;

  submit(asked: {
    readonly promptId: string;
    // JSON text of the graph.
    readonly graph: string;
    readonly credential: string | null;
    // JSON text that saved files carry besides the graph. Nothing if null or absent.
    readonly pngInfo?: string | null;
  }): Promise<Accepted>;
  queue(): Promise<QueueSnapshot>;
  // Null if nothing is known about it, or not yet.
  history(promptId: string): Promise<HistoryEntry | null>;
  // Removes this prompt from the queue or interrupts it, and no other. True if it is out or was told to stop.
  cancel(promptId: string): Promise<boolean>;
  // Removes it from the queue if it is waiting there; a running prompt continues.
  removePending(promptId: string): Promise<void>;
  // Returns the name under which a graph can use it, which may differ from the requested one.
  upload(file: {
    readonly name: string;
    readonly source: AsyncIterable<Uint8Array>;
    readonly signal?: AbortSignal;
  }): Promise<string>;
  // Null if it does not have that file.
  view(location: FileLocation, signal?: AbortSignal): Promise<ViewedFile | null>;

  // If closed, no events arrive and everything must be polled.
  isSocketOpen(): boolean;
  // Returns a function that stops watching.
  watch(promptId: string, watcher: Watcher): () => void;
  // Notes the models named by a graph that is about to run.
  noteModels(names: readonly string[]): void;
  modelsLoaded(): readonly string[];
  close(): Promise<void>;
}

export type ApplicationProblemCode =
  // No connection, a reset, or no answer in time: the request may or may not have taken effect.
  | "unreachable"
  // An answer that does not follow the protocol.
  | "garbage"
  // The input is larger than it accepts.
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

// One request as routes see it. Query, signal and body are created on demand: the hot public reads need none of them.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Operation } from "@atelier/contract";
import type { Clock } from "../clock.ts";
import type { RequestId } from "../ids.ts";
import { inlineJsonLimits, parseJson } from "../json/json-bytes.ts";
import { oneTurnBytesMax, wholeTurn } from "../memory/whole-turn.ts";
import type { Turn } from "./admission/fair-turns.ts";
import { type Arrival, DrainOver, type Incoming } from "./area.ts";
import { type BodyBudget, readBody, requireMediaType } from "./body/read-body.ts";
import { blockOf } from "./outgoing/address-block.ts";
import type { WatchCaller } from "./streams/lasting-answer.ts";

export interface BodyRules {
  readonly bytesMax: number;
  readonly budget: BodyBudget;
  readonly clock: Clock;
  readonly respell?: ((bytes: Buffer) => Buffer) | undefined;
}

// Notifies code of the server's shutdown, in two steps. When the drain begins, everything that only waits for news ends. When
// the drain is over, running requests must answer now. We keep our own lists instead of using AbortSignal.any: a signal that
// lives as long as the process keeps a trace of every signal ever derived from it.
export class Stopping {
  readonly #atBegin = new Set<() => void>();
  readonly #atEnd = new Set<AbortController>();
  #isDraining = false;
  #isOver = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  // Aborts the listener with DrainOver when the drain is over.
  abortAtEnd(listener: AbortController): () => void {
    if (this.#isOver) listener.abort(new DrainOver());
    else this.#atEnd.add(listener);
    return () => void this.#atEnd.delete(listener);
  }

  // Calls `run` when the drain begins.
  readonly onStop = (run: () => void): (() => void) => {
    if (this.#isDraining) run();
    else this.#atBegin.add(run);
    return () => void this.#atBegin.delete(run);
  };

  begin(): void {
    this.#isDraining = true;
    for (const run of this.#atBegin) run();
    this.#atBegin.clear();
  }

  end(): void {
    this.#isOver = true;
    for (const listener of this.#atEnd) listener.abort(new DrainOver());
    this.#atEnd.clear();
  }
}

export class ArrivedRequest implements Arrival {
  readonly requestId: RequestId;
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly peer: string;
  readonly raw: IncomingMessage;
  operation: Operation | undefined = undefined;
  #flow: string | undefined;
  // The caller, once known. For the log, if the request is refused later.
  caller: unknown = undefined;
  watch: WatchCaller = null;

  constructor(raw: IncomingMessage, requestId: RequestId, peer: string) {
    const target = raw.url ?? "/";
    const mark = target.indexOf("?");
    this.raw = raw;
    this.requestId = requestId;
    this.method = raw.method ?? "GET";
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.queryText = mark === -1 ? "" : target.slice(mark + 1);
    this.peer = peer;
  }

  get operationId(): string | undefined {
    return this.operation?.id;
  }

  recognised(caller: unknown): void {
    this.caller = caller;
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  // The flow whose queue this request waits in: the address's, until the caller is known.
  get flow(): string {
    this.#flow ??= blockOf(this.peer);
    return this.#flow;
  }

  set flow(key: string) {
    this.#flow = key;
  }

  get rawHeaders(): readonly string[] {
    return this.raw.rawHeaders;
  }
}

// Decisions, section 1: JSON of other routes is at most 1 MiB. A route that accepts more declares it and knows why.
const plainBytesMax = 1024 * 1024;
// For the few routes with larger bodies: long texts, and a few more members.
const largeLimits = { keysMax: 15_000, valuesMax: 30_000, exactMax: 1_000 };

export class RoutedRequest<Caller> implements Incoming<Caller> {
  readonly requestId: RequestId;
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly peer: string;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly operation: Operation | undefined;
  readonly #raw: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #stopping: Stopping;
  readonly #body: BodyRules;
  readonly #turn: Turn | null;
  #query: URLSearchParams | undefined;
  #signal: AbortSignal | undefined;
  #waitSignal: AbortSignal | undefined;
  #bytes: Promise<Buffer> | undefined;

  constructor(
    arrived: ArrivedRequest,
    response: ServerResponse,
    caller: Caller,
    params: Readonly<Record<string, string>>,
    rules: { body: BodyRules; stopping: Stopping; turn: Turn | null },
  ) {
    this.requestId = arrived.requestId;
    this.method = arrived.method;
    this.path = arrived.path;
    this.queryText = arrived.queryText;
    this.peer = arrived.peer;
    this.operation = arrived.operation;
    this.caller = caller;
    this.params = params;
    this.#raw = arrived.raw;
    this.#response = response;
    this.#stopping = rules.stopping;
    this.#body = rules.body;
    this.#turn = rules.turn;
  }

  get headers(): IncomingHttpHeaders {
    return this.#raw.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.#raw.rawHeaders;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.queryText);
    return this.#query;
  }

  get signal(): AbortSignal {
    if (!this.#signal) {
      const gone = new AbortController();
      const forget = this.#stopping.abortAtEnd(gone);
      this.#response.once("close", () => {
        forget();
        if (!this.#response.writableFinished) gone.abort(new Error("the client disconnected"));
      });
      this.#signal = gone.signal;
    }
    return this.#signal;
  }

  get waitSignal(): AbortSignal {
    if (!this.#waitSignal) {
      const stopped = new AbortController();
      const forget = this.#stopping.onStop(() => stopped.abort());
      this.#response.once("close", () => {
        forget();
        stopped.abort();
      });
      this.#waitSignal = stopped.signal;
    }
    return this.#waitSignal;
  }

  get stream(): Readable {
    this.#turn?.leave();
    return this.#raw;
  }

  waitsForOthers(): void {
    this.#turn?.leave();
  }

  bytes(): Promise<Buffer> {
    this.#bytes ??= this.#readBody();
    return this.#bytes;
  }

  // The bytes count against the process's budget until the answer is done. A slow sender holds no turn in the meantime.
  async #readBody(): Promise<Buffer> {
    const { budget, bytesMax, clock, respell } = this.#body;
    const lease = budget.open();
    this.#response.once("close", () => lease.release());
    this.#turn?.leave();
    const bytes = await readBody(this.#raw, { bytesMax, clock, lease });
    const turn = this.#turn?.take();
    if (turn) await turn;
    return respell === undefined ? bytes : respell(bytes);
  }

  async json(): Promise<unknown> {
    requireMediaType(this.#raw.headers, "application/json");
    const bytes = await this.bytes();
    const { value } = parseJson(bytes, this.#body.bytesMax <= plainBytesMax ? inlineJsonLimits : largeLimits);
    if (bytes.byteLength > oneTurnBytesMax) await wholeTurn();
    return value;
  }
}

// Area, Route, Incoming, Answer: the shape every area has. An area is a value; a process is a list of areas.
// Nothing here knows the HTTP framework: only serve.ts does.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { Operation } from "@atelier/contract";
import type { ByteSource } from "../byte-source.ts";
import type { Fault } from "../fault.ts";
import type { RequestId } from "../ids.ts";

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

// What a request is before its caller is known.
export interface Arrival {
  readonly requestId: RequestId;
  readonly method: string;
  // Not decoded: exactly what stood in the request line, without the query.
  readonly path: string;
  // Without the question mark; "" when there is none.
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  // Header names and values as they arrived, so that repeated headers can be counted.
  readonly rawHeaders: readonly string[];
  // Told who is calling as soon as that is known, also where the call is then refused: for the log, and nothing else.
  recognised?(caller: unknown): void;
  // The peer's address, or what a trusted proxy in front of us says it is.
  readonly peer: string;
}

// The server stops, and a request that still ran had all the time there was: it is to be answered now.
export class DrainOver extends Error {
  constructor() {
    super("the server is stopping");
  }
}

export interface Incoming<Caller> extends Arrival {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  // Fires when the client goes away; with DrainOver as its reason when the server stops and the time that running
  // requests have to finish is over. A stop alone does not fire it.
  readonly signal: AbortSignal;
  // For those that wait for what may not come (long polls): fires as soon as the server begins to stop, or when the
  // request is over.
  readonly waitSignal: AbortSignal;
  // The whole body, at most the route's cap; 413 above it. Can be asked for again.
  bytes(): Promise<Buffer>;
  // Strict JSON (no duplicate keys, valid UTF-8, depth at most 64) with content type application/json; 400 otherwise.
  json(): Promise<unknown>;
  // The body as it comes, for uploads. Use either this or bytes().
  readonly stream: Readable;
  // From here on the answer depends on others (a provider, a worker, our own entrance): another request may have the
  // turn. See fair-turns.ts.
  waitsForOthers(): void;
}

export interface BytesAnswer {
  readonly status: number;
  readonly headers?: HeaderValues;
  // Text is sent as UTF-8. A stream is destroyed and a source closed when the client goes away.
  readonly body?: Uint8Array | string | Readable | ByteSource | null;
}

// A connection that asks to become a websocket.
export interface Upgrade {
  // The connection, which belongs to the caller from now on, and what already came over it. To be called once.
  accept(): { readonly socket: Duplex; readonly head: Buffer };
}

export type EndReason = "stopping" | "refused";

// The one way for what is not request → answer: event streams, resumable uploads, MCP.
export interface TakeOverAnswer {
  takeOver(raw: {
    request: IncomingMessage;
    response: ServerResponse;
    headers: readonly (string | string[])[];
    // Calls back when the answer must end: the server stops, or the caller's credential is not good any more. What it
    // returns forgets that.
    onEnd: (run: (reason: EndReason) => void) => () => void;
    // Null: the request did not ask to become a websocket.
    upgrade: Upgrade | null;
  }): void | Promise<void>;
}

export type Answer = BytesAnswer | TakeOverAnswer;

export interface Route<Caller> {
  readonly operation: Operation;
  // Default 1 MiB (decisions, section 1).
  readonly bodyBytesMax?: number;
  // How the process is: answered whatever else there is to do, and without a limit.
  readonly isAlwaysAnswered?: boolean;
  // What the rim makes of a body before the route sees it; absent: the bytes as they came.
  readonly respellBody?: (bytes: Buffer) => Buffer;
  // Its connections become websockets.
  readonly isSocket?: boolean;
  handle(incoming: Incoming<Caller>): Answer | Promise<Answer>;
}

export function route<Caller>(operation: Operation, handle: Route<Caller>["handle"]): Route<Caller> {
  return { operation, handle };
}

// What could be read of a request before it failed: one that was not understood has no headers.
export type FailedArrival = Pick<Arrival, "requestId" | "path"> & Partial<Pick<Arrival, "headers">>;
export type Envelope = (fault: Fault, arrival: FailedArrival) => BytesAnswer;

export interface Area<Caller = unknown> {
  readonly name: string;
  // Unknown paths below these answer in this area's envelope, behind this area's authentication.
  readonly prefixes: readonly string[];
  // Its operations are another's: they are served and guarded, and stand in no document of ours.
  readonly isOutsideContract?: boolean;
  // What stands before all its paths, parameters in braces; absent: nothing.
  readonly mountPath?: string;
  // `null` only for areas on the short public list; a test names them.
  readonly authenticate: ((arrival: Arrival) => Caller | Promise<Caller>) | null;
  readonly envelope: Envelope;
  readonly routes: readonly Route<Caller>[];
  // "open" answers any origin without credentials (price badges); "listed" only the configured origins.
  readonly cors: "open" | "listed";
  // Headers that this area's errors carry even when they arise before routing: the router's bucket.
  readonly earlyHeaders?: (fault: Fault) => HeaderValues;
  // The same where not even the path could be read: it may have been one of this area.
  readonly unreadHeaders?: (fault: Fault) => HeaderValues;
  // For answers that last: calls back once when the caller's credential is not good any more. What it returns ends the watch.
  readonly watch?: (caller: Caller, lost: () => void) => () => void;
  // Called once per request after authentication; throws rate_limited.
  readonly admit?: (caller: Caller, arrival: Arrival) => void | Promise<void>;
  // Whose requests share a line when there is more to do than can be done: a workspace. Absent: an address.
  readonly flowOf?: (caller: Caller) => string;
  // Public areas whose addresses are signed are not limited by the caller's address: the signature is the credential.
  readonly isSigned?: boolean;
  // What OPTIONS says about its paths, to those who show no credential too; absent: OPTIONS is no method of theirs.
  readonly options?: HeaderValues;
}

// Erases the caller's type so that areas of different callers stand in one list.
export function area<Caller>(value: Area<Caller>): Area {
  return value as Area;
}

export function jsonAnswer(status: number, value: unknown, headers: HeaderValues = {}): BytesAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

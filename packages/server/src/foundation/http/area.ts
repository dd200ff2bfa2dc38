// Area, Route, Incoming, Answer: the shape of every area. An area is a value; a process is a list of areas.
// Nothing here knows the HTTP framework; only serve.ts does.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { Operation } from "@atelier/contract";
import type { ByteSource } from "../byte-source.ts";
import type { Fault } from "../fault.ts";
import type { RequestId } from "../ids.ts";

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

// A request before its caller is known.
export interface Arrival {
  readonly requestId: RequestId;
  readonly method: string;
  // Not decoded: exactly as in the request line, without the query.
  readonly path: string;
  // Without the question mark; "" if there is none.
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  // Header names and values as they arrived, so that repeated headers can be counted.
  readonly rawHeaders: readonly string[];
  // Called as soon as the caller is known, even if the call is then refused. For the log only.
  recognised?(caller: unknown): void;
  // The peer's address, or the one that a trusted proxy in front of us reports.
  readonly peer: string;
  // The operation that method and path name. Undefined if they name none.
  readonly operationId?: string | undefined;
  // The operation itself: its role is checked when the caller is recognised.
  readonly operation?: Operation | undefined;
}

// The server is stopping and the request has used up its time to finish: answer now.
export class DrainOver extends Error {
  constructor() {
    super("the server is stopping");
  }
}

export interface Incoming<Caller> extends Arrival {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  // Fires when the client disconnects, and with DrainOver as its reason when the server stops and the time for running requests
  // to finish is over. A stop alone does not fire it.
  readonly signal: AbortSignal;
  // For requests that wait for something that may never come (long polls): fires as soon as the server begins to stop, or when
  // the request is over.
  readonly waitSignal: AbortSignal;
  // The whole body, up to the route's limit; 413 above it. Can be called again.
  bytes(): Promise<Buffer>;
  // Strict JSON (no duplicate keys, valid UTF-8, depth at most 64) with content type application/json; 400 otherwise.
  json(): Promise<unknown>;
  // The body as it arrives, for uploads. Use either this or bytes().
  readonly stream: Readable;
  // From here on the answer depends on others (a provider, a worker, our own entrance), so another request can have the turn.
  // See fair-turns.ts.
  waitsForOthers(): void;
}

export interface BytesAnswer {
  readonly status: number;
  readonly headers?: HeaderValues;
  // Text is sent as UTF-8. If the client disconnects, a stream is destroyed and a source is closed.
  readonly body?: Uint8Array | string | Readable | ByteSource | null;
  // For a stream: headers that are known only at its end, sent after it.
  readonly trailers?: () => HeaderValues;
}

// A connection that requests an upgrade to a websocket.
export interface Upgrade {
  // Returns the connection, which then belongs to the caller, and the bytes already received on it. Call it once.
  accept(): { readonly socket: Duplex; readonly head: Buffer };
}

export type EndReason = "stopping" | "refused";

// For everything that is not request → answer: event streams, resumable uploads, MCP.
export interface TakeOverAnswer {
  takeOver(raw: {
    request: IncomingMessage;
    response: ServerResponse;
    headers: readonly (string | string[])[];
    // Calls back when the answer must end: the server stops, or the caller's credential is no longer valid. Returns a function
    // that unregisters the callback.
    onEnd: (run: (reason: EndReason) => void) => () => void;
    // Null if the request did not ask for a websocket.
    upgrade: Upgrade | null;
  }): void | Promise<void>;
}

export type Answer = BytesAnswer | TakeOverAnswer;

export interface Route<Caller> {
  readonly operation: Operation;
  // Default 1 MiB (decisions, section 1).
  readonly bodyBytesMax?: number;
  // Health checks: always answered, even under overload, and without a rate limit.
  readonly isAlwaysAnswered?: boolean;
  // Rewrites the body at the rim before the route sees it. If absent, the route gets the bytes as they arrived.
  readonly respellBody?: (bytes: Buffer) => Buffer;
  // Its connections become websockets.
  readonly isSocket?: boolean;
  handle(incoming: Incoming<Caller>): Answer | Promise<Answer>;
}

export function route<Caller>(operation: Operation, handle: Route<Caller>["handle"]): Route<Caller> {
  return { operation, handle };
}

// A route file as a module: its handlers have the name of their operation and `Route`. Whatever else it exports does not count.
interface RouteFile<Caller, Deps> {
  readonly [name: `${string}Route`]: (deps: Deps) => Route<Caller>;
}

// Every handler of these files, so that one cannot be written and then forgotten.
export function routesOf<Caller, Deps>(deps: Deps, ...files: readonly RouteFile<Caller, Deps>[]): Route<Caller>[] {
  return files.flatMap((file) =>
    Object.entries(file).flatMap(([name, handler]) => (name.endsWith("Route") ? handler(deps) : [])),
  );
}

// What all handlers of these files together take.
export type DepsOf<Files extends readonly object[]> = Files[number] extends RouteFile<never, infer Deps> ? Deps : never;

// What could be read of a failed request. A request that could not be parsed has no headers.
export type FailedArrival = Pick<Arrival, "requestId" | "path"> & Partial<Pick<Arrival, "headers">>;
export type Envelope = (fault: Fault, arrival: FailedArrival) => BytesAnswer;

export interface Area<Caller = unknown> {
  readonly name: string;
  // Unknown paths below these prefixes answer in this area's envelope, behind its authentication.
  readonly prefixes: readonly string[];
  // Its operations belong to another API: they are served and guarded, but appear in none of our documents.
  readonly isOutsideContract?: boolean;
  // A prefix of all its paths, with parameters in braces. If absent, there is none.
  readonly mountPath?: string;
  // `null` only for areas on the short public list; a test names them.
  readonly authenticate: ((arrival: Arrival) => Caller | Promise<Caller>) | null;
  readonly envelope: Envelope;
  readonly routes: readonly Route<Caller>[];
  // "open" allows any origin, without credentials (price badges); "listed" allows only the configured origins.
  readonly cors: "open" | "listed";
  // Headers that this area's errors carry even if they occur before routing: the router's bucket.
  readonly earlyHeaders?: (fault: Fault) => HeaderValues;
  // The same if not even the path could be read: it may have been one of this area's.
  readonly unreadHeaders?: (fault: Fault) => HeaderValues;
  // For long-lived answers: calls back once when the caller's credential is no longer valid. Returns a function that stops
  // watching.
  readonly watch?: (caller: Caller, lost: () => void) => () => void;
  // Called once per request after authentication; throws rate_limited.
  readonly admit?: (caller: Caller, arrival: Arrival) => void | Promise<void>;
  // Whose requests share a queue under overload: usually a workspace. If absent, an address.
  readonly flowOf?: (caller: Caller) => string;
  // A public area with signed URLs has no rate limit per address: the signature is the credential.
  readonly isSigned?: boolean;
  // The headers that OPTIONS answers for its paths, even without a credential. If absent, its paths do not support OPTIONS.
  readonly options?: HeaderValues;
}

// Erases the caller's type, so that areas with different callers fit in one list.
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

// Calls to the server a worker works for: bearer token, bounded time, and one kind of failure, which says whether the call
// may be retried.
import { Agent, type Dispatcher, request } from "undici";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

export interface ServerClientOptions {
  // Without a trailing slash.
  readonly serverUrl: string;
  readonly token: string;
}

export interface ServerCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly json?: unknown;
  readonly body?: {
    readonly contentType: string;
    readonly source: () => Dispatcher.DispatchOptions["body"];
    readonly bytes: number;
  };
  readonly signal?: AbortSignal;
  // From the call to the end of the answer.
  readonly totalMs: number;
}

export interface ServerClient {
  // The parsed answer, or undefined if there is none. Rejects with a ServerCallProblem.
  call(call: ServerCall): Promise<unknown>;
  // The body as a stream, with its ETag and name.
  download(path: string): Promise<ServerDownload>;
  close(): Promise<void>;
}

export interface ServerDownload {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly hash: string | null;
  readonly name: string | null;
}

export class ServerCallProblem extends Error {
  // 0 if no answer came.
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: string, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "ServerCallProblem";
    this.status = status;
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }

  // The same call may succeed in a moment.
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const answerBytesMax = 256 * 1024 * 1024;
const connectMs = 10_000;
const idleMs = 60_000;

export function openServerClient({ serverUrl, token }: ServerClientOptions): ServerClient {
  const agent = new Agent({
    connections: 64,
    connect: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: idleMs,
    keepAliveTimeout: 30_000,
    maxResponseSize: answerBytesMax,
  });
  const authorization = `Bearer ${token}`;

  async function send(call: ServerCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = { authorization };
    if (call.json !== undefined) headers["content-type"] = "application/json";
    if (call.body !== undefined) {
      headers["content-type"] = call.body.contentType;
      headers["content-length"] = String(call.body.bytes);
    }
    const body = call.json !== undefined ? JSON.stringify(call.json) : (call.body?.source() ?? null);
    try {
      return await request(`${serverUrl}${call.path}`, {
        method: call.method,
        headers,
        body,
        signal,
        dispatcher: agent,
      });
    } catch (error) {
      throw unreachable(error);
    }
  }

  return {
    async call(call) {
      const { signal, leave } = limited(call.totalMs, call.signal);
      try {
        const answer = await send(call, signal);
        const text = await answer.body.text().catch((error: unknown) => {
          throw unreachable(error);
        });
        if (answer.statusCode >= 300) throw refusal(answer.statusCode, answer.headers["retry-after"], text);
        return text === "" ? undefined : JSON.parse(text);
      } finally {
        leave();
      }
    },
    async download(path) {
      const { signal, leave } = limited(idleMs);
      const answer = await send({ method: "GET", path, totalMs: 0 }, signal).finally(leave);
      if (answer.statusCode >= 300) {
        throw refusal(answer.statusCode, answer.headers["retry-after"], await answer.body.text().catch(() => ""));
      }
      const [etag, name] = [answer.headers["etag"], answer.headers["x-file-name"]];
      return {
        stream: answer.body,
        hash: typeof etag === "string" ? etag.replaceAll('"', "") : null,
        name: typeof name === "string" ? decodeURIComponent(name) : null,
      };
    },
    close: () => agent.destroy(),
  };
}

// A timer that does not outlive its call.
function limited(totalMs: number, given?: AbortSignal): { signal: AbortSignal; leave(): void } {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error("The server took too long to answer.")), totalMs);
  const stop = () => limit.abort(given?.reason);
  given?.addEventListener("abort", stop, { once: true });
  if (given?.aborted) stop();
  return {
    signal: limit.signal,
    leave() {
      clearTimeout(timer);
      given?.removeEventListener("abort", stop);
    },
  };
}

function unreachable(cause: unknown): ServerCallProblem {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ServerCallProblem(0, "unreachable", `The server could not be reached: ${reason}`, { cause });
}

function refusal(status: number, retryAfter: unknown, text: string): ServerCallProblem {
  const seconds = Number(retryAfter);
  const wait = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
  const body = jsonOrUndefined(text);
  if (isRecord(body) && "error" in body && "message" in body)
    return new ServerCallProblem(status, String(body["error"]), String(body["message"]), wait);
  // A proxy between us and the server answered.
  return new ServerCallProblem(status, "refused", `The server answered ${status}.`, wait);
}

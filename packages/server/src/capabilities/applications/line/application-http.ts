// HTTP calls to an application, each bounded in time and size. A failure is either `unreachable` (it may or may not have
// happened) or `garbage` (not a valid answer). Redirects are not followed.
import { Readable } from "node:stream";
import { Pool } from "undici";
import type { Clock } from "../../../foundation/clock.ts";
import { ApplicationProblem } from "../application.ts";
import { boundedJson } from "./bounded-json.ts";
import { paced } from "./paced-body.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

export interface HttpCall {
  readonly method: "GET" | "POST";
  // Begins with "/"; segments and parameters are already encoded.
  readonly path: string;
  readonly json?: string;
  readonly multipart?: { readonly boundary: string; readonly body: AsyncIterable<Uint8Array> };
  readonly answerBytesMax?: number;
  readonly totalMs?: number;
  readonly signal?: AbortSignal;
}

export interface StreamedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: AsyncIterable<Uint8Array>;
  // For a body that will not be read.
  discard(): void;
}

export interface ApplicationHttp {
  call(call: HttpCall): Promise<HttpAnswer>;
  stream(path: string, signal?: AbortSignal): Promise<StreamedAnswer>;
  // Throws `garbage` unless the answer is 200 and JSON.
  json(call: HttpCall): Promise<unknown>;
  close(): Promise<void>;
}

const connectMs = 5_000;
const totalMsDefault = 15_000;
const answerBytesMaxDefault = 16 * 1024 * 1024;
// The longest silence before the first chunk of an output and between chunks.
const silenceMs = 60_000;
// The minimum rate overall.
const pace = { windowMs: silenceMs, windowBytesMin: 60 * 1024 };
const connectionsMax = 32;

export function createApplicationHttp(base: URL, clock: Clock): ApplicationHttp {
  let isClosed = false;
  const asProblem = (cause: unknown) => (isClosed ? closedProblem() : problemOf(cause));
  const prefix = base.pathname.replace(/\/+$/, "");
  const pool = new Pool(base.origin, {
    connections: connectionsMax,
    connectTimeout: connectMs,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });

  async function call(asked: HttpCall): Promise<HttpAnswer> {
    const limit = AbortSignal.timeout(asked.totalMs ?? totalMsDefault);
    const signal = asked.signal ? AbortSignal.any([asked.signal, limit]) : limit;
    try {
      const { statusCode, body } = await pool.request({
        method: asked.method,
        path: `${prefix}${asked.path}`,
        signal,
        ...payloadOf(asked),
      });
      return { status: statusCode, body: await readBounded(body, asked.answerBytesMax ?? answerBytesMaxDefault) };
    } catch (cause) {
      throw asProblem(cause);
    }
  }

  return {
    call,
    async json(asked) {
      const { status, body } = await call(asked);
      if (status !== 200) throw new ApplicationProblem("garbage", `The application answered ${status}.`);
      return parsed(body);
    },
    async stream(path, signal) {
      try {
        const { statusCode, headers, body } = await pool.request({
          method: "GET",
          path: `${prefix}${path}`,
          ...(signal ? { signal } : {}),
        });
        const type = headers["content-type"];
        // A failure that no one awaits must not end the process.
        body.on("error", () => {});
        return {
          status: statusCode,
          contentType: typeof type === "string" ? type : null,
          body: guarded(paced(body, pace, clock), asProblem),
          discard: () => void body.destroy(),
        };
      } catch (cause) {
        throw asProblem(cause);
      }
    },
    // Calls still waiting are refused right away: closing does not wait for a foreign server.
    async close() {
      isClosed = true;
      await pool.destroy();
    },
  };
}

function payloadOf({ json, multipart }: HttpCall): { headers?: Record<string, string>; body?: string | Readable } {
  if (json !== undefined) return { headers: { "content-type": "application/json" }, body: json };
  if (multipart === undefined) return {};
  const headers = { "content-type": `multipart/form-data; boundary=${multipart.boundary}` };
  return { headers, body: Readable.from(multipart.body, { objectMode: false }) };
}

async function readBounded(body: AsyncIterable<unknown> & { destroy(): unknown }, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    total += chunk.length;
    if (total > bytesMax) {
      body.destroy();
      throw new ApplicationProblem("garbage", "The application's answer is too large.");
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0]
    ? Buffer.from(chunks[0].buffer, chunks[0].byteOffset, chunks[0].length)
    : Buffer.concat(chunks);
}

// A body that breaks off is reported like an answer that never came.
async function* guarded(
  body: AsyncIterable<Uint8Array>,
  asProblem: (cause: unknown) => ApplicationProblem,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw asProblem(cause);
  }
}

export function parsed(body: Buffer): unknown {
  try {
    return boundedJson(body);
  } catch (cause) {
    throw new ApplicationProblem("garbage", "The application's answer is not JSON, or is too large.", { cause });
  }
}

const closedProblem = () => new ApplicationProblem("closed", "The connection to the application was closed.");

function problemOf(cause: unknown): ApplicationProblem {
  if (cause instanceof ApplicationProblem) return cause;
  return new ApplicationProblem("unreachable", "The application does not answer.", { cause });
}

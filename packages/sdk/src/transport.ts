// The one way to the server: address, credential, time limits, retries under one key, typed failures. The API key is never sent
// to any origin but the one it was given for.
import { writeJson } from "./exact-json.ts";
import { AtelierError, failureOf, noAnswer } from "./failures.ts";
import { backOffMs, pause } from "./pause.ts";

/** Options of a client. Leave out what the environment provides. */
export interface AtelierOptions {
  /** The API key or a cloud identity token; default `ATELIER_API_KEY`. Empty for none. */
  readonly apiKey?: string;
  /** The server's address; default `ATELIER_URL`, then http://127.0.0.1:8080. May have a mount path. */
  readonly baseUrl?: string;
  /**
   * Milliseconds for one answer, of every call. Without it: 660,000 for `models.run`, above the server's deadline; 600,000
   * for uploads and downloads; 60,000 for the rest.
   */
  readonly timeoutMs?: number;
  /** How often a call that can safely be repeated is retried; default 2. */
  readonly maxRetries?: number;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the global fetch. */
  readonly fetch?: typeof fetch;
  /** Hashes files elsewhere, for example in a worker, so that a page stays responsive. */
  readonly hashBlob?: HashBlob;
}

/** Hashes bytes: blake3: and 64 hexadecimal digits. */
export type HashBlob = (blob: Blob, signal?: AbortSignal) => Promise<string>;

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for one answer of this call. Overrides the client's. */
  readonly timeoutMs?: number;
}

// Picks the options every call takes out of a larger object.
export function pickCallOptions({ signal, timeoutMs }: CallOptions): CallOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

// The signal only: this call has its own time limit.
export function pickSignal({ signal }: { readonly signal?: AbortSignal | undefined }): Pick<CallOptions, "signal"> {
  return signal === undefined ? {} : { signal };
}

export interface Ask extends CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly json?: unknown;
  readonly body?: NonNullable<RequestInit["body"]>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  // Whether we may send it again if no answer came: true for reads and for anything under an idempotency key.
  readonly isRepeatable?: boolean;
  // Statuses outside 2xx that the caller handles.
  readonly accept?: readonly number[];
  readonly maxRetries?: number;
  // The default in milliseconds if neither the call nor the client sets one.
  readonly usualTimeoutMs?: number;
  readonly redirect?: "follow" | "manual";
}

export interface Transport {
  readonly baseUrl: string;
  send(pathOrLink: string, ask?: Ask): Promise<Response>;
}

const defaultBaseUrl = "http://127.0.0.1:8080";

export function createTransport(options: AtelierOptions): Transport {
  const baseUrl = baseUrlOf(options.baseUrl ?? environment("ATELIER_URL") ?? defaultBaseUrl);
  const apiKey = options.apiKey ?? environment("ATELIER_API_KEY");
  const ask = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const retriesMax = options.maxRetries ?? 2;

  async function once(url: string, request: Ask): Promise<Response | AtelierError> {
    const key = request.idempotencyKey ?? null;
    const limit = limitOf(timeoutOf(request, options), request.signal);
    try {
      const response = await ask(url, requestOf(url, request, limit.signal));
      if (response.ok || request.accept?.includes(response.status)) return response;
      return await failureOf(response, { idempotencyKey: key, isRouters: isRouters(url) });
    } catch (thrown) {
      if (request.signal?.aborted) throw thrown;
      return noAnswer(thrown, limit.isOver(), key);
    } finally {
      limit.end();
    }
  }

  // Relative to the client's address, including any mount path.
  const routersPrefix = `${baseUrl}/v1/`;
  const isRouters = (url: string) => url.startsWith(routersPrefix);

  function requestOf(url: string, ask: Ask, signal: AbortSignal): RequestInit {
    const headers: Record<string, string> = { ...options.headers, ...ask.headers };
    if (apiKey && new URL(url).origin === new URL(baseUrl).origin) headers["authorization"] ??= `Bearer ${apiKey}`;
    if (ask.idempotencyKey !== undefined) headers["idempotency-key"] = ask.idempotencyKey;
    if (ask.json !== undefined) headers["content-type"] ??= "application/json";
    const body = ask.json === undefined ? ask.body : writeJson(ask.json);
    return {
      method: ask.method ?? "GET",
      headers,
      signal,
      redirect: ask.redirect ?? "follow",
      ...(body === undefined ? {} : { body }),
    };
  }

  return {
    baseUrl,
    async send(pathOrLink, ask = {}) {
      const url = addressOf(baseUrl, pathOrLink, ask.query);
      const isSafe = ask.isRepeatable ?? (ask.method === undefined || ask.method === "GET" || ask.method === "HEAD");
      const most = ask.maxRetries ?? retriesMax;
      for (let attempt = 0; ; attempt++) {
        const answer = await once(url, ask);
        if (!(answer instanceof AtelierError)) return answer;
        if (attempt >= most || !mayRepeat(answer, isSafe)) throw answer;
        await pause(waitMs(answer, attempt), ask.signal);
      }
    },
  };
}

// A refusal that says when to come back did nothing. Any other failure may have done something, so we repeat the call only if a
// repetition counts as the same call.
function mayRepeat(failure: AtelierError, isSafe: boolean): boolean {
  if (!failure.isRetryable) return false;
  return isSafe || (failure.retryAfterSeconds !== null && failure.status !== 0 && failure.code !== "internal_error");
}

function waitMs(failure: AtelierError, attempt: number): number {
  return failure.retryAfterSeconds === null ? backOffMs(attempt) : Math.min(failure.retryAfterSeconds, 60) * 1000;
}

// The call's setting, then the client's, then the operation's default.
function timeoutOf(ask: Ask, options: AtelierOptions): number {
  return ask.timeoutMs ?? options.timeoutMs ?? ask.usualTimeoutMs ?? 60_000;
}

function limitOf(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException("The request timed out.", "TimeoutError"));
  }, timeoutMs);
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    // The caller's signal still ends the body.
    end: () => clearTimeout(timer),
  };
}

// The server's links are relative to its host and include any mount path; our own paths are relative to the base address.
function addressOf(baseUrl: string, path: string, query: Ask["query"]): string {
  const base = new URL(baseUrl);
  const mount = base.pathname.replace(/\/+$/, "");
  const isLink = /^https?:\/\//.test(path) || (mount !== "" && path.startsWith(`${mount}/`));
  const url = isLink ? new URL(path, baseUrl) : new URL(`${base.origin}${mount}${path}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each));
  }
  return url.href;
}

// A local address needs no scheme. For any other we do not guess whether TLS is meant.
export function baseUrlOf(text: string): string {
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i.test(text);
  const url = isLocal ? `http://${text}` : text;
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url))
    throw new TypeError(`"${text}" is not a server address; it must start with http:// or https://.`);
  return url.replace(/\/+$/, "");
}

// Browsers have no environment.
function environment(name: string): string | undefined {
  const scope: object = globalThis;
  if (!("process" in scope)) return undefined;
  const { env } = scope.process as { readonly env?: Readonly<Record<string, string | undefined>> };
  return env?.[name] || undefined;
}

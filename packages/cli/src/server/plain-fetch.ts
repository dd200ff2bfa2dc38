// A fetch for what short commands need most: small requests without TLS, streamed answers. Loading the platform's fetch takes
// longer than many jobs run (it brings TLS, HTTP/2, WebSocket and form data along), so we use it only where needed: for other
// schemes, bodies other than text or bytes, and redirects.
import type { IncomingMessage } from "node:http";

type Body = string | Uint8Array | null | undefined;

export const plainFetch: typeof fetch = (input, init = {}) => {
  const { body, headers } = init;
  const isPlain =
    typeof input === "string" &&
    input.startsWith("http://") &&
    isPlainBody(body) &&
    (headers === undefined || arePlainHeaders(headers));
  return isPlain ? ask(input, init, body, headers ?? {}) : fetch(input, init);
};

const isPlainBody = (body: unknown): body is Body =>
  body === undefined || body === null || typeof body === "string" || body instanceof Uint8Array;

const arePlainHeaders = (headers: NonNullable<RequestInit["headers"]>): headers is Record<string, string> =>
  typeof headers === "object" && !(Symbol.iterator in headers);

async function ask(url: string, init: RequestInit, body: Body, headers: Record<string, string>): Promise<Response> {
  const { signal, method = "GET", redirect = "follow" } = init;
  const message = await send(url, { method, headers, signal: signal ?? undefined }, body);
  const status = message.statusCode ?? 0;
  if (redirect === "follow" && [301, 302, 303, 307, 308].includes(status)) {
    message.resume();
    return fetch(url, init);
  }
  const length = Number(message.headers["content-length"] ?? Number.NaN);
  const isEmpty = method === "HEAD" || status === 204 || status === 304;
  // An unread answer would keep its connection open, and the process alive, so we read small ones immediately.
  const whole = isEmpty || length <= takenBytesMax ? collect(message) : null;
  whole?.catch(() => undefined);
  return new PlainResponse(url, status, message, whole);
}

const takenBytesMax = 1024 * 1024;

async function collect(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

interface Options {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal | undefined;
}

function send(url: string, { method, headers, signal }: Options, body: Body): Promise<IncomingMessage> {
  // Importing this module would also load its WebSocket support.
  const { request } = process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const length = body === undefined || body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(url, { method, headers: { ...headers, ...length } }, resolve);
    // The signal also ends a body that is still arriving.
    const abort = () => outgoing.destroy(signal?.reason instanceof Error ? signal.reason : undefined);
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.once("close", () => {
      signal?.removeEventListener("abort", abort);
      // However it ended, no caller waits forever.
      reject(new Error("The connection was closed."));
    });
    outgoing.once("error", (error) => reject(signal?.aborted ? signal.reason : error));
    outgoing.end(body ?? undefined);
  });
}

class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>();

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }
  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }
  getSetCookie(): string[] {
    return [];
  }
  forEach(callback: (value: string, key: string, headers: Headers) => void): void {
    for (const [name, value] of this.#values) callback(value, name, this);
  }
  keys() {
    return this.#values.keys();
  }
  values() {
    return this.#values.values();
  }
  entries() {
    return this.#values.entries();
  }
  [Symbol.iterator]() {
    return this.#values.entries();
  }
}

class PlainResponse implements Response {
  readonly headers = new PlainHeaders();
  readonly status: number;
  readonly statusText: string;
  readonly type = "basic";
  readonly url: string;
  readonly redirected = false;
  readonly #message: IncomingMessage;
  readonly #whole: Promise<Uint8Array<ArrayBuffer>> | null;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #isUsed = false;

  constructor(url: string, status: number, message: IncomingMessage, whole: Promise<Uint8Array<ArrayBuffer>> | null) {
    this.url = url;
    this.status = status;
    this.statusText = message.statusMessage ?? "";
    this.#message = message;
    this.#whole = whole;
    for (const [name, values] of Object.entries(message.headersDistinct))
      for (const value of values ?? []) this.headers.append(name, value);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get bodyUsed(): boolean {
    return this.#isUsed;
  }
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#isUsed = true;
    this.#stream ??= this.#whole === null ? streamOf(this.#message) : streamOfWhole(this.#whole);
    return this.#stream;
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    this.#isUsed = true;
    return this.#whole ?? collect(this.#message);
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()]);
  }
  async formData(): Promise<FormData> {
    const type = this.headers.get("content-type") ?? "";
    return new Response(await this.bytes(), { headers: { "content-type": type } }).formData();
  }
  textStream(): ReadableStream<string> {
    return this.body.pipeThrough(new TextDecoderStream());
  }
  clone(): Response {
    throw new TypeError("A streamed response cannot be cloned.");
  }
}

function streamOfWhole(whole: Promise<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const bytes = await whole;
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

// Reads no more from the server than the consumer does.
function streamOf(message: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  return new ReadableStream({
    start(controller) {
      message.on("data", (piece: Buffer) => {
        if (isOver) return;
        controller.enqueue(new Uint8Array(piece));
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once("end", () => {
        if (!isOver) controller.close();
        isOver = true;
      });
      const fail = (error: Error) => {
        if (!isOver) controller.error(error);
        isOver = true;
      };
      message.once("error", fail);
      message.once("close", () => fail(new Error("The connection was closed.")));
    },
    pull: () => void message.resume(),
    cancel() {
      isOver = true;
      message.destroy();
    },
  });
}

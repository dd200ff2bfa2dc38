// The only way out of the sandbox: plain HTTP to this machine. We judge an address by its text, dial it as an IP address without
// asking any resolver, and do not follow redirects.
import { request } from "node:http";

interface LoopbackAnswer {
  readonly status: number;
  readonly body: Buffer;
}

// Null if the address may not be called. `origins`: the only ones allowed, if given.
export function loopbackUrl(text: string, origins: readonly string[] | null): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "http:" || url.username !== "" || url.password !== "") return null;
  if (dialledAs(url) === null) return null;
  return origins === null || origins.includes(url.origin) ? url : null;
}

function dialledAs({ hostname }: URL): string | null {
  if (hostname === "localhost") return "127.0.0.1";
  if (hostname === "[::1]") return "::1";
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname) ? hostname : null;
}

interface LoopbackCall {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly bodyBytesMax: number;
  readonly secondsMax: number;
  readonly signal: AbortSignal;
}

export function callLoopback(call: LoopbackCall): Promise<LoopbackAnswer> {
  const { url, method, headers, body } = call;
  const host = dialledAs(url);
  if (host === null) return Promise.reject(new Error("Only addresses on this machine can be called."));
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(call.secondsMax * 1000)]);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host,
        port: url.port === "" ? 80 : Number(url.port),
        path: url.pathname + url.search,
        method,
        agent: false,
        signal,
        headers: { Host: url.host, ...headers, ...(body && { "Content-Length": body.byteLength }) },
      },
      (response) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on("data", (piece: Buffer) => {
          bytes += piece.byteLength;
          if (bytes > call.bodyBytesMax) response.destroy(new Error("The answer is too large."));
          else pieces.push(piece);
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces) }));
        response.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

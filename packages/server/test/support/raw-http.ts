// Sends raw bytes over a socket and returns what came back, for requests that no HTTP client would send.
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly all: string;
}

// Resolves when the server closes the connection, or when a whole answer has arrived and nothing followed for `quietMs`.
export function sendRaw(port: number, text: string, quietMs = 150): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const done = () => {
      clearTimeout(quiet);
      clearTimeout(giveUp);
      socket.destroy();
      resolve(parseRaw(Buffer.concat(chunks).toString("latin1")));
    };
    const giveUp = setTimeout(done, 60_000);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      if (isWhole(Buffer.concat(chunks).toString("latin1"), text.startsWith("HEAD ")))
        quiet = setTimeout(done, quietMs);
    });
    socket.on("close", done);
    socket.on("error", (error) => (chunks.length > 0 ? done() : reject(error)));
    socket.write(text, "latin1");
  });
}

function isWhole(all: string, isHead: boolean): boolean {
  if (!all.includes("\r\n\r\n")) return false;
  const { status, headers, body } = parseRaw(all);
  if (isHead || status === 204 || status === 304) return true;
  if (headers["transfer-encoding"] === "chunked") return body.endsWith("0\r\n\r\n");
  return headers["content-length"] !== undefined && body.length >= Number(headers["content-length"]);
}

function parseRaw(all: string): RawAnswer {
  const [head = "", ...rest] = all.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: rest.join("\r\n\r\n"), all };
}

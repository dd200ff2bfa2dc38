// Sits on loopback in front of a real S3 store and answers in its place when a test says so: throttling, and clock skew.
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { TestS3 } from "./test-s3.ts";

export interface S3Answer {
  readonly status: number;
  // The store's error code.
  readonly code: string;
  readonly more?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface S3Front extends TestS3 {
  // Called for each request; null lets it through.
  answer: (incoming: IncomingMessage) => S3Answer | null;
  // How many requests were answered in the store's place.
  readonly refused: number;
}

export async function s3Front(store: TestS3): Promise<S3Front> {
  const address = new URL(store.address);
  const target = new URL(address.searchParams.get("endpoint") ?? "");
  let refused = 0;
  const server = createServer((incoming, outgoing) => {
    const fault = front.answer(incoming);
    if (fault === null) {
      // The Host header is signed, so it is forwarded unchanged.
      const { method, url: path, headers } = incoming;
      const forwarded = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.once("error", () => outgoing.destroy());
      incoming.pipe(forwarded);
      return;
    }
    refused += 1;
    // Read the body to its end first, as stores do: a client that is cut off while sending would not see the answer.
    incoming.resume().once("end", () => {
      const body = `<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>no</Message>${fault.more ?? ""}</Error>`;
      outgoing.writeHead(fault.status, { "content-type": "application/xml", ...fault.headers });
      outgoing.end(incoming.method === "HEAD" ? undefined : body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const listening = server.address();
  const port = typeof listening === "object" && listening ? listening.port : 0;
  address.searchParams.set("endpoint", `http://127.0.0.1:${port}`);
  const front: S3Front = {
    ...store,
    address: address.href,
    answer: () => null,
    get refused() {
      return refused;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return front;
}

// Refuses as a store does whose clock is this far ahead or behind and which tolerates at most five minutes.
export function skewedBy(minutes: number): S3Front["answer"] {
  return ({ headers }) => {
    const [, day = "", time = ""] = /^(\d{8})T(\d{6})Z$/.exec(String(headers["x-amz-date"])) ?? [];
    const iso = `${day.replace(/(....)(..)(..)/, "$1-$2-$3")}T${time.replace(/(..)(..)(..)/, "$1:$2:$3")}Z`;
    const now = new Date(Date.now() + minutes * 60_000);
    if (Math.abs(now.getTime() - Date.parse(iso)) <= 300_000) return null;
    return { ...tooSkewed(now), headers: { date: now.toUTCString() } };
  };
}

export function tooSkewed(serverTime: Date): S3Answer {
  return { status: 403, code: "RequestTimeTooSkewed", more: `<ServerTime>${serverTime.toISOString()}</ServerTime>` };
}

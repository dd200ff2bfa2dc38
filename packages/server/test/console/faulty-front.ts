// A reverse proxy in front of the real server, for causes that cannot be produced for one panel alone. It forwards
// everything except what the test refuses: then it answers in the envelope of the server's area, or cuts the connection.
import { randomUUID } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { workflowEnvelope } from "../../src/areas/workflows/workflow-envelope.ts";
import { routerAnswer } from "../../src/capabilities/model-calls/index.ts";
import type { Fault } from "../../src/foundation/fault.ts";
import type { BytesAnswer, Envelope } from "../../src/foundation/http/area.ts";
import { genericEnvelope } from "../../src/foundation/http/generic-envelope.ts";

// `lost` cuts the connection before an answer. `page` answers with an HTML page, as a gateway in between would.
export type Refusal = Fault | "lost" | "page";

export interface FaultyFront {
  readonly baseUrl: string;
  // Decides about every request from now on; null forwards all of them.
  refuse(rule: ((method: string, path: string) => Refusal | null) | null): void;
  // Requests since the last call, as "GET /path", without documents and files.
  asked(): readonly string[];
  // Ends every open connection.
  cut(): void;
  // The ids of the refusals it gave.
  readonly requestIds: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function openFaultyFront(targetUrl: string): Promise<FaultyFront> {
  const target = new URL(targetUrl);
  const requestIds = new Set<string>();
  let rule: ((method: string, path: string) => Refusal | null) | null = null;
  let asked: string[] = [];
  const server = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? "/", targetUrl);
    const method = incoming.method ?? "GET";
    const isDocument = incoming.headers["sec-fetch-mode"] === "navigate" || pathname.startsWith("/console/");
    if (!isDocument) asked.push(`${method} ${pathname}`);
    const refusal = isDocument ? null : (rule?.(method, pathname) ?? null);
    if (refusal === null) passOn(target, incoming, response);
    else refuse(refusal, pathname, incoming, response, requestIds);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse: (next) => {
      rule = next;
    },
    asked() {
      const taken = asked;
      asked = [];
      return taken;
    },
    cut: () => server.closeAllConnections(),
    requestIds,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(target: URL, incoming: IncomingMessage, response: ServerResponse): void {
  // To the server it looks as if its own page had sent the request.
  const headers = { ...incoming.headers, host: target.host };
  if (headers.origin !== undefined) headers.origin = target.origin;
  delete headers.referer;
  const { method, url } = incoming;
  const { hostname: host, port } = target;
  const onward = httpRequest({ host, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

const envelopeOf = (path: string): Envelope =>
  path.startsWith("/v1/") ? routerAnswer : path.startsWith("/api/v2/") ? workflowEnvelope : genericEnvelope;

function refuse(
  refusal: Refusal,
  path: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  requestIds: Set<string>,
): void {
  incoming.resume();
  if (refusal === "lost") {
    incoming.socket.destroy();
    return;
  }
  if (refusal === "page") {
    const headers = { "content-type": "text/html" };
    response.writeHead(502, headers).end("<html><body><h1>502 Bad Gateway</h1></body></html>");
    return;
  }
  const id = randomUUID();
  requestIds.add(id);
  const answer = envelopeOf(path)(refusal, { path } as Parameters<Envelope>[1]) as BytesAnswer;
  response.writeHead(answer.status, {
    ...answer.headers,
    "x-service-request-id": id,
    "cache-control": "no-store",
    ...(refusal.retryAfterSeconds === undefined ? {} : { "retry-after": String(refusal.retryAfterSeconds) }),
  });
  response.end(answer.body);
}

// A provider that holds every call until the test releases it, and remembers what it was sent under which reference.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { aDefinition, aModel } from "./provider-example-calls.ts";

export interface HeldCall {
  readonly reference: string;
  readonly body: Buffer;
  answer(status?: number, value?: unknown): void;
}

export interface HeldProvider {
  readonly definition: ReturnType<typeof aDefinition>;
  // Every call so far, in order of arrival.
  readonly calls: readonly HeldCall[];
  // From now on, answers calls immediately, or holds them again.
  flow(isFlowing: boolean): void;
  close(): Promise<void>;
}

export async function heldProvider(provider: string): Promise<HeldProvider> {
  const calls: HeldCall[] = [];
  const waiting = new Set<() => void>();
  let isFlowing = false;
  const answered = (response: ServerResponse, status: number, value: unknown) => {
    const body = JSON.stringify(value);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reference = String(request.headers["x-request-reference"]);
    const answer = (status = 200, value: unknown = { done: reference }) => {
      waiting.delete(answer);
      answered(response, status, value);
    };
    calls.push({ reference, body: Buffer.concat(chunks), answer });
    if (isFlowing) answer();
    else waiting.add(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const model = (name: string, usd: string) =>
    aModel({ model: name, released: true, price: { usd }, submit: { path: `/${name}`, encoding: "json" } });
  return {
    definition: aDefinition(provider, {
      base_url: `http://127.0.0.1:${port}`,
      reference_header: "X-Request-Reference",
      models: [model("plain", "0.02"), model("free", "0"), model("costly", "5")],
    }),
    calls,
    flow(next) {
      isFlowing = next;
      if (isFlowing) for (const answer of [...waiting]) answer();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

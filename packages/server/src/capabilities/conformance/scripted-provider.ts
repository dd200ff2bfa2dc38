// A provider on loopback that answers what a fixture says, one answer per request, and keeps what it was sent. It is a
// real HTTP server: what passes here went over the wire.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

// Instead of an answer: the connection is cut, or nothing comes until `gaveUp` ends it.
export type ScriptedStep = ScriptedAnswer | "cut" | "silence";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Script {
  // What becomes of the n-th request; null: nothing was foreseen for it.
  answer(index: number, request: SeenRequest): ScriptedStep | null;
  // A request that stays without an answer.
  onSilence(): void;
}

export interface ScriptedProvider {
  readonly origin: string;
  readonly host: string;
  // From now on; returns what is seen under it.
  play(script: Script): readonly SeenRequest[];
  close(): Promise<void>;
}

const nothing: Script = { answer: () => null, onSilence: () => undefined };

export async function scriptedProvider(): Promise<ScriptedProvider> {
  let script = nothing;
  let seen: SeenRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { method = "", url = "", headers } = request;
    const arrived: SeenRequest = { method, path: url, headers, body: Buffer.concat(chunks) };
    seen.push(arrived);
    const step = script.answer(seen.length - 1, arrived);
    if (step === "silence") return script.onSilence();
    if (step === "cut" || step === null) return void request.socket.destroy();
    response.writeHead(step.status, { ...step.headers, "content-length": String(step.body.byteLength) });
    response.end(step.body);
  };
  // A caller that goes away while it is read is no trouble of ours.
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    host,
    origin: `http://${host}`,
    play(next) {
      script = next;
      seen = [];
      return seen;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

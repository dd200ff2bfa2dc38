// A provider on loopback that answers what a fixture says, one answer per request, and records what it was sent. It is a
// real HTTP server, so what passes here went over the wire.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

// Instead of an answer: the connection is dropped, or nothing comes until `gaveUp` ends it.
export type ScriptedStep = ScriptedAnswer | "cut" | "silence";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Script {
  // What happens to the n-th request. Null if none was expected.
  answer(index: number, request: SeenRequest): ScriptedStep | null;
  // A request gets no answer.
  onSilence(): void;
}

export interface ScriptedProvider {
  readonly origin: string;
  readonly host: string;
  // Plays the script from now on and returns the requests seen under it.
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
  // A caller that disconnects while we read its request is not our problem.
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

// A provider for one test, on loopback: it answers, hangs until released, or loses its answer and can be asked for it
// later.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeProvider {
  readonly url: string;
  // How many times it was asked to work.
  readonly runs: () => number;
  // The headers it was last sent.
  readonly lastHeaders: () => IncomingMessage["headers"];
  // Ends every hanging call and makes every lost answer available.
  release(): void;
  close(): Promise<void>;
}

// POST /direct answers, /hang after `release`, /lost never, /refused with 401; GET /references/… finds the lost ones.
export async function fakeProvider(): Promise<FakeProvider> {
  let runs = 0;
  let isReleased = false;
  let lastHeaders: IncomingMessage["headers"] = {};
  const hanging = new Set<ServerResponse>();
  const answer = (response: ServerResponse, status: number, value: object) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      lastHeaders = request.headers;
      if (request.method === "GET") {
        if (!isReleased) return answer(response, 409, { state: "running" });
        return answer(response, 200, { found: true });
      }
      runs += 1;
      if (request.url === "/lost") return void request.socket.destroy();
      if (request.url === "/refused") return answer(response, 401, { error: "the key was revoked" });
      if (request.url === "/hang" && !isReleased) return void hanging.add(response);
      return answer(response, 200, { done: true });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    runs: () => runs,
    lastHeaders: () => lastHeaders,
    release() {
      isReleased = true;
      for (const response of hanging) answer(response, 200, { done: true });
      hanging.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

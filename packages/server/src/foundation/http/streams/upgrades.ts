// Connections that ask to become a websocket. They go the way of every request (guard, routing, authentication, admission)
// with an answer of their own: a refusal is an ordinary answer, and a route that accepts takes the socket from it. Where no
// route takes websockets, nothing listens, and a request to change protocols is an ordinary one.
import { type IncomingMessage, type Server, type ServerOptions, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Area, Upgrade } from "../area.ts";

export class Upgrades {
  readonly #paths: ReadonlySet<string>;
  readonly #asked = new WeakMap<IncomingMessage, Upgrade>();

  constructor(areas: readonly Area[]) {
    const paths = areas.flatMap(({ mountPath = "", routes }) =>
      routes.filter(({ isSocket }) => isSocket).map(({ operation }) => `${mountPath}${operation.path}`),
    );
    this.#paths = new Set(paths);
  }

  get options(): Pick<ServerOptions, "shouldUpgradeCallback"> {
    if (this.#paths.size === 0) return {};
    return {
      shouldUpgradeCallback: ({ url = "", headers }) =>
        headers.upgrade?.toLowerCase() === "websocket" && this.#paths.has(url.split("?", 1)[0] ?? ""),
    };
  }

  watch(server: Server, receive: (request: IncomingMessage, response: ServerResponse) => void): void {
    if (this.#paths.size === 0) return;
    server.on("upgrade", (request, socket, head) => {
      if (!(socket instanceof Socket)) return void socket.destroy();
      socket.on("error", () => socket.destroy());
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once("finish", () => socket.end());
      this.#asked.set(request, { accept: () => accept(response, socket, head) });
      receive(request, response);
    });
  }

  of(request: IncomingMessage): Upgrade | null {
    return this.#asked.get(request) ?? null;
  }
}

// Counted among the running requests until its connection is over.
function accept(response: ServerResponse, socket: Socket, head: Buffer): ReturnType<Upgrade["accept"]> {
  response.statusCode = 101;
  response.detachSocket(socket);
  socket.once("close", () => response.emit("close"));
  return { socket, head };
}

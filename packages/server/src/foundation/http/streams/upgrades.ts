// Connections that request a websocket. They go through the same steps as every request (guard, routing, authentication,
// admission): a refusal is an ordinary answer, and a route that accepts takes over the socket. If no route uses websockets,
// nothing listens, and an upgrade request is treated as an ordinary one.
import { type IncomingMessage, type Server, type ServerOptions, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Area, Upgrade } from "../area.ts";

export class Upgrades {
  // Paths, in which a name in braces accepts any one part.
  readonly #patterns: readonly RegExp[];
  readonly #asked = new WeakMap<IncomingMessage, Upgrade>();

  constructor(areas: readonly Area[]) {
    const paths = areas.flatMap(({ mountPath = "", routes }) =>
      routes.filter(({ isSocket }) => isSocket).map(({ operation }) => `${mountPath}${operation.path}`),
    );
    this.#patterns = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));
  }

  get options(): Pick<ServerOptions, "shouldUpgradeCallback"> {
    if (this.#patterns.length === 0) return {};
    return {
      shouldUpgradeCallback: ({ url = "", headers }) =>
        headers.upgrade?.toLowerCase() === "websocket" && this.#isSocket(url.split("?", 1)[0] ?? ""),
    };
  }

  watch(server: Server, receive: (request: IncomingMessage, response: ServerResponse) => void): void {
    if (this.#patterns.length === 0) return;
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

  #isSocket(path: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(path));
  }

  of(request: IncomingMessage): Upgrade | null {
    return this.#asked.get(request) ?? null;
  }
}

// Counted as a running request until its connection closes.
function accept(response: ServerResponse, socket: Socket, head: Buffer): ReturnType<Upgrade["accept"]> {
  response.statusCode = 101;
  response.detachSocket(socket);
  socket.once("close", () => response.emit("close"));
  return { socket, head };
}

// Websockets over connections that a route accepted: bounded messages, no compression, which would cost each connection
// more memory than all else that is kept of it. The library is loaded by those that need it and by no one else.
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { Upgrade } from "../area.ts";

export type { WebSocket } from "ws";

export interface WebSockets {
  // A handshake that breaks the rules is answered and closed, and never handed on.
  accept(request: IncomingMessage, upgrade: Upgrade, take: (socket: WebSocket) => void): void;
}

const messageBytesMax = 64 * 1024;

export async function loadWebSockets(): Promise<WebSockets> {
  const { WebSocketServer } = await import("ws").catch((cause: unknown) => {
    throw new Error("Websockets need the package ws; install it beside the server.", { cause });
  });
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    clientTracking: false,
  });
  return {
    accept(request, upgrade, take) {
      const { socket, head } = upgrade.accept();
      server.handleUpgrade(request, socket, head, take);
    },
  };
}

// Websockets over connections that a route accepted: messages are bounded, and compression is off because it would cost each
// connection more memory than everything else we keep for it. The library is loaded only by processes that need it.
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { Upgrade } from "../area.ts";

export type { WebSocket } from "ws";

export interface WebSockets {
  // An invalid handshake is answered and closed, and never passed on.
  accept(request: IncomingMessage, upgrade: Upgrade, take: (socket: WebSocket) => void): void;
}

const messageBytesMax = 64 * 1024;

export async function loadWebSockets(): Promise<WebSockets> {
  const { WebSocketServer } = await import("ws").catch((cause: unknown) => {
    throw new Error("WebSockets need the package ws. Install it next to the server.", { cause });
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

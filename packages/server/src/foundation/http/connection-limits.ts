// How many connections may be open, in all and per address. Loopback peers are not counted per
// address: everything on one machine, a TLS proxy included, would share one budget.
import type { Server } from "node:http";
import { isLoopback } from "./loopback-guard.ts";

export function limitConnections(
  server: Server,
  limits: { readonly connectionsMax: number; readonly connectionsPerAddressMax: number },
): void {
  server.maxConnections = limits.connectionsMax;
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    if (isLoopback(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

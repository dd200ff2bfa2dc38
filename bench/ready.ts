// For the small servers next to what we measure: they listen on a free port of loopback and report it as `atelier serve` does.
import type { AddressInfo, Server } from "node:net";

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export function sayReady(server: Server): void {
  process.stdout.write(`ready http://127.0.0.1:${portOf(server)}\n`);
  process.once("SIGTERM", () => process.exit(0));
}

export function listenAndSay(server: Server, backlog = 511): void {
  server.listen(0, "127.0.0.1", backlog, () => sayReady(server));
}

// Limits on open connections, per process (all listeners together) and per address. Loopback peers have no per-address limit:
// everything on one machine, including a TLS proxy, would share one budget.
// The total stays below what the system lets the process open, with room for files, the database and upstreams: a process that
// runs out of file descriptors cannot answer at all. At the limit, idle connections are closed first. A new connection that
// still arrives gets a quick 503, unless it asks for the process's health; beyond a small reserve for that, connections are
// cut.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../clock.ts";
import { isLoopback } from "../loopback-guard.ts";

export interface ConnectionLimitsOptions {
  readonly clock: Clock;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  // What the system lets the process open. Null if unknown.
  readonly openFilesMax: number | null;
  readonly onAccepted?: () => void;
  readonly onRefused?: () => void;
}

const reserve = 32;
const idleEveryMs = 100;
const idleClosedMax = 64;
// How long a surplus connection may stay silent before it is closed.
const surplusMsMax = 2_000;

// Leaves a quarter for what connections bring with them (upstreams, files), and some for the process itself.
export function connectionsWithin(connectionsMax: number, openFilesMax: number | null): number {
  if (openFilesMax === null) return connectionsMax;
  return Math.max(16, Math.min(connectionsMax, Math.floor(openFilesMax * 0.75) - 192));
}

interface Connection {
  running: number;
  hasAnswered: boolean;
}

export class ConnectionLimits {
  readonly max: number;
  readonly #options: ConnectionLimitsOptions;
  readonly #connections = new Map<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();
  // Connections accepted while all were taken, which have not sent a request yet.
  readonly #surplus = new Set<Socket>();
  #idleClosedMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionLimitsOptions) {
    this.#options = options;
    this.max = connectionsWithin(options.connectionsMax, options.openFilesMax);
  }

  get open(): number {
    return this.#connections.size;
  }

  watch(server: Server): void {
    server.on("connection", (socket) => this.#take(socket));
  }

  // Call `began` when a request on this connection begins, and `ended` when it has been answered.
  began(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running += 1;
  }

  ended(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    connection.running -= 1;
    connection.hasAnswered = true;
  }

  // Whether this connection is over the limit. Asked once for each of its requests.
  isSurplus(socket: Socket): boolean {
    if (this.#surplus.size === 0 || !this.#surplus.delete(socket)) return false;
    socket.setTimeout(0);
    return this.#connections.size > this.max;
  }

  #take(socket: Socket): void {
    if (this.#connections.size >= this.max && !this.#makeRoom(socket)) return;
    if (!this.#countAddress(socket)) return;
    this.#connections.set(socket, { running: 0, hasAnswered: false });
    this.#options.onAccepted?.();
    socket.once("close", () => {
      this.#connections.delete(socket);
      this.#surplus.delete(socket);
    });
  }

  #makeRoom(socket: Socket): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#idleClosedMs >= idleEveryMs) {
      this.#idleClosedMs = nowMs;
      this.#closeIdle();
    }
    if (this.#connections.size >= this.max + reserve) {
      this.#options.onRefused?.();
      socket.destroy();
      return false;
    }
    this.#surplus.add(socket);
    socket.setTimeout(surplusMsMax, () => {
      if (this.#surplus.has(socket)) socket.destroy();
    });
    return true;
  }

  // Closes connections that have been answered and are silent now. A connection that has just arrived is not idle yet.
  #closeIdle(): void {
    let left = idleClosedMax;
    for (const [socket, { running, hasAnswered }] of this.#connections) {
      if (running > 0 || !hasAnswered) continue;
      socket.destroy();
      left -= 1;
      if (left === 0) return;
    }
  }

  #countAddress(socket: Socket): boolean {
    const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    if (isLoopback(address)) return true;
    const count = (this.#perAddress.get(address) ?? 0) + 1;
    if (count > this.#options.connectionsPerAddressMax) {
      this.#options.onRefused?.();
      socket.destroy();
      return false;
    }
    this.#perAddress.set(address, count);
    socket.once("close", () => {
      const left = (this.#perAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#perAddress.delete(address);
      else this.#perAddress.set(address, left);
    });
    return true;
  }
}

// How many connections may be open, in all listeners of this process together and per address. Loopback peers are not
// counted per address: everything on one machine, a TLS proxy included, would share one budget.
// The sum stays below what the system lets the process open, with room for files, the database and upstreams: a process
// that runs out of those cannot answer at all. When the sum is reached, idle connections are closed first; one that still
// comes gets a quick 503, unless it asks how the process is; beyond a small reserve for that, connections are cut.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../clock.ts";
import { isLoopback } from "../loopback-guard.ts";

export interface ConnectionLimitsOptions {
  readonly clock: Clock;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  // What the system lets the process open; null: not known.
  readonly openFilesMax: number | null;
  readonly onAccepted?: () => void;
  readonly onRefused?: () => void;
}

const reserve = 32;
const idleEveryMs = 100;
const idleClosedMax = 64;
// A connection beyond the sum that asks nothing is not waited for.
const surplusMsMax = 2_000;

// A quarter is left for what connections bring with them (upstreams, files), and some for the process itself.
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
  // Came when all connections were taken, and have not been heard yet.
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

  // A request on it begins, or has had its answer.
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

  // Whether this connection should not be here; asked once for each of its requests.
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

  // Those that have had answers and ask nothing now; who has just come is not idle yet.
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

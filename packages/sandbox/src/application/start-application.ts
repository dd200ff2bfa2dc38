// A stand-in for the application on loopback: its HTTP routes and its websocket, in front of the embedded engine. A test can
// break it in every way the real one fails, and count what it was asked to do.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { hostsOf, listenOn } from "../http/loopback-guard.ts";
import { Application, type ApplicationStats, type ApplicationVersion } from "./application.ts";
import { refusedStatus } from "./arrival.ts";
import { handleSandbox } from "./fault-routes.ts";
import { type ApplicationFaults, noFaults } from "./faults.ts";
import { empty, inTrouble, send } from "./reply.ts";
import { handle } from "./routes.ts";

export interface SandboxApplicationOptions {
  // A free port if absent or 0.
  readonly port?: number;
  // The folders input, output, temp and models are in it, and outlive the process.
  readonly home: string;
  // The old one has no /api/jobs, accepts any prompt id and shows credentials in its queue. Default: new.
  readonly version?: ApplicationVersion;
  // Every prompt takes exactly this long and nothing is computed: outputs are small stand-ins. For benchmarks.
  readonly latencyMs?: number;
  readonly faults?: Partial<ApplicationFaults>;
  // What the fault `crashesMidJob` does; default: a restart, because this process is shared.
  readonly crash?: () => void;
}

export interface RunningSandboxApplication {
  readonly url: string;
  readonly port: number;
  readonly stats: ApplicationStats;
  readonly faults: ApplicationFaults;
  setFaults(faults: Partial<ApplicationFaults>): void;
  // Cuts every websocket without a close frame.
  dropSockets(): void;
  loseHistory(): void;
  // Forgets queue, history and results and cuts sockets; files stay. `downMs`: how long it does not answer.
  restart(downMs?: number): Promise<void>;
  close(): Promise<void>;
}

export async function startSandboxApplication(options: SandboxApplicationOptions): Promise<RunningSandboxApplication> {
  const entrance = new SandboxEntrance(options);
  const port = await entrance.open(options.port ?? 0);
  const { application } = entrance;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get stats() {
      return application.stats;
    },
    get faults() {
      return application.faults;
    },
    setFaults: (faults) => {
      application.faults = { ...application.faults, ...faults };
    },
    dropSockets: () => application.clients.drop(),
    loseHistory: () => application.history.clear(),
    restart: (downMs = 0) => entrance.restart(downMs),
    close: () => entrance.close(),
  };
}

const listenTurnsMax = 50;

class SandboxEntrance {
  readonly application: Application;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 4 * 1024 ** 2 });
  readonly #crash: () => void;
  #server: Server;
  #hosts: ReadonlySet<string> = new Set();
  #port = 0;
  #isClosed = false;
  #restarting: Promise<void> | null = null;

  constructor(options: SandboxApplicationOptions) {
    this.#crash = options.crash ?? (() => void this.restart(0));
    this.application = new Application({
      home: options.home,
      version: options.version ?? "new",
      latencyMs: options.latencyMs ?? null,
      faults: { ...noFaults, ...options.faults },
      crash: this.#crash,
    });
    this.#server = this.#newServer();
  }

  async open(port: number): Promise<number> {
    await this.application.folders.open();
    this.#port = await listenOn(this.#server, port);
    this.#hosts = hostsOf(this.#port);
    return this.#port;
  }

  // Concurrent restarts are one.
  restart(downMs: number): Promise<void> {
    this.#restarting ??= this.#restart(downMs).finally(() => {
      this.#restarting = null;
    });
    return this.#restarting;
  }

  async #restart(downMs: number): Promise<void> {
    await this.#leave();
    await this.application.restart();
    await wait(downMs);
    // Another program's outgoing connection may occupy the port for a moment.
    for (let turn = 0; !this.#isClosed; turn++) {
      this.#server = this.#newServer();
      const thrown = await listenOn(this.#server, this.#port).then(
        () => null,
        (error: unknown) => error,
      );
      if (thrown === null) return;
      if (turn === listenTurnsMax) throw thrown;
      await wait(100);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#restarting;
    await this.#leave();
    await this.application.close();
  }

  #leave(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.application.clients.drop();
    this.#server.closeAllConnections();
    return closed;
  }

  #newServer(): Server {
    const server = createServer({ requireHostHeader: false, keepAliveTimeout: 75_000 }, (request, response) => {
      this.#answer(request, response).catch(() => send(response, inTrouble));
    });
    server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    return server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = refusedStatus(request, this.#hosts, this.application.version);
    if (refused !== null) {
      response.setHeader("Connection", "close");
      return send(response, empty(refused));
    }
    const path = (request.url ?? "").split("?")[0] ?? "";
    const actions = { restart: (downMs: number) => this.restart(downMs), crash: this.#crash };
    const reply = path.startsWith("/sandbox/")
      ? await handleSandbox(this.application, actions, request, path)
      : await handle(this.application, request);
    send(response, reply, request.method === "HEAD");
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {});
    const url = URL.canParse(request.url ?? "", "http://application")
      ? new URL(request.url ?? "", "http://application")
      : null;
    const refused = refusedStatus(request, this.#hosts, this.application.version);
    const isSocketPath = url?.pathname === "/ws" || url?.pathname === "/api/ws";
    if (refused !== null || !isSocketPath) {
      socket.end(`HTTP/1.1 ${refused ?? 404} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) =>
      this.application.clients.enter(client, url.searchParams.get("clientId")),
    );
  }
}

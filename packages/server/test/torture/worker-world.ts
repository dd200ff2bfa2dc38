// One gateway that runs no graphs itself, applications, and a worker beside each, all of them real processes. A killed
// one can be restarted on the same home and port, as a supervisor would.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SpawnedSandboxApplication, spawnSandboxApplication } from "@atelier/sandbox";
import { sharedPool } from "../../src/capabilities/pools/shared-pool.ts";
import { freePort } from "../support/free-port.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { addWorkerToken } from "../support/worker-token-store.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";

export interface WorkerPair {
  readonly name: string;
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  // SIGTERM: it finishes its work or gives it back.
  drainWorker(): Promise<void>;
  killApplication(): Promise<void>;
  startApplication(): Promise<void>;
  // Graphs that the application has finished since its last start.
  finished(): Promise<number>;
  workerLog(): string;
}

export interface WorkerWorld {
  readonly router: RouterWorld;
  readonly gateway: RouterServer;
  readonly pairs: readonly WorkerPair[];
  close(): Promise<void>;
}

export interface WorkerWorldOptions {
  readonly pairs: number;
  readonly leaseSeconds: number;
  readonly slots: number;
}

export async function workerWorld(options: WorkerWorldOptions): Promise<WorkerWorld> {
  const home = await mkdtemp(join(tmpdir(), "atelier-workers-"));
  const router = await routerWorld({
    ATELIER_ENGINE_SLOTS: "0",
    ATELIER_JOB_LEASE_SECONDS: String(options.leaseSeconds),
  });
  const gateway = await router.start();
  const token = await addWorkerToken(router.database, [sharedPool]);
  const pairs: (WorkerPair & { close(): Promise<void> })[] = [];
  for (let index = 0; index < options.pairs; index += 1) {
    const pair = aPair({
      name: `pair-${index}`,
      home: join(home, String(index)),
      gateway,
      token,
      slots: options.slots,
    });
    await pair.startApplication();
    pairs.push(pair);
  }
  await Promise.all(pairs.map((pair) => pair.startWorker()));
  return {
    router,
    gateway,
    pairs,
    async close() {
      for (const pair of pairs) await pair.close();
      await router.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

interface PairOptions {
  readonly name: string;
  readonly home: string;
  readonly gateway: RouterServer;
  readonly token: string;
  readonly slots: number;
}

function aPair({ name, home, gateway, token, slots }: PairOptions): WorkerPair & { close(): Promise<void> } {
  let application: SpawnedSandboxApplication | null = null;
  let worker: ServerProcess | null = null;
  let port = 0;
  let log = "";
  const endWorker = async (signal: NodeJS.Signals) => {
    await worker?.kill(signal);
    log += worker?.log() ?? "";
    worker = null;
  };
  return {
    name,
    async startApplication() {
      // Chosen beforehand: a port that the system assigned might belong to another program when the application comes
      // back.
      port ||= await freePort();
      application = await spawnSandboxApplication({ port, home: join(home, "application") });
    },
    async killApplication() {
      await application?.kill();
      application = null;
    },
    async startWorker() {
      const words = ["--server", gateway.baseUrl, "--application", `http://127.0.0.1:${port}`];
      worker = await startServerProcess({
        home: join(home, "worker"),
        command: ["worker", ...words, "--slots", String(slots), "--name", name],
        env: { ATELIER_WORKER_TOKEN: token },
      });
    },
    killWorker: () => endWorker("SIGKILL"),
    drainWorker: () => endWorker("SIGTERM"),
    async finished() {
      const answer = await fetch(`http://127.0.0.1:${port}/sandbox/stats`);
      const stats = (await answer.json()) as { readonly finished: number };
      return stats.finished;
    },
    workerLog: () => log + (worker?.log() ?? ""),
    async close() {
      await endWorker("SIGKILL");
      await application?.kill();
    },
  };
}

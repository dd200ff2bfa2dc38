// Starts what is measured, on the core it shall have. Servers sit on one core and the load generator on another, so that
// neither takes the other's time; where `taskset` is missing everything floats, and the report says so.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { LoadJob, LoadTally } from "./load-generator.ts";

export const root = join(import.meta.dirname, "..");
export const isPinned = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;
const [serverCore, loadCore] = ["0", "1"];

export interface Started {
  readonly pid: number;
  readonly port: number;
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly isPinned?: boolean;
}

export async function startUntilReady(
  command: readonly [string, ...string[]],
  options: StartOptions = {},
): Promise<Started> {
  const began = performance.now();
  const [program, ...words] = options.isPinned && isPinned ? pinned(serverCore, command) : command;
  const child = spawn(program, words, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.env },
  });
  const url = await readyUrl(child);
  const readyMs = performance.now() - began;
  return {
    pid: child.pid ?? 0,
    port: Number(new URL(url).port),
    readyMs,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      const giveUp = setTimeout(() => child.kill("SIGKILL"), 30_000);
      await gone;
      clearTimeout(giveUp);
    },
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const giveUp = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`Not ready in 60 s.\n${said}`));
    }, 60_000);
    const hear = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-8192);
      const url = /^ready (\S+)/m.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(giveUp);
      resolve(url);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => {
      clearTimeout(giveUp);
      reject(new Error(`Ended with ${code} before it was ready.\n${said}`));
    });
  });
}

const node = (file: string): [string, ...string[]] => [
  process.execPath,
  "--conditions=atelier-source",
  join(root, file),
];

export const bareFastify = () => startUntilReady(node("bench/bare-fastify.ts"), { isPinned: true });

export const atelier = (home: string, isPinned: boolean) =>
  startUntilReady([process.execPath, join(root, "packages/cli/bin/atelier.mjs"), "serve"], {
    isPinned,
    env: { ATELIER_HOME: home, ATELIER_PORT: "0" },
  });

export interface Loader {
  run(job: LoadJob): Promise<LoadTally>;
  end(): void;
}

export function startLoader(): Loader {
  const command = node("bench/load-generator.ts");
  const [program, ...words] = isPinned ? pinned(loadCore, command) : command;
  const child = spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const giveUp = setTimeout(
          () => reject(new Error("The load generator does not answer.")),
          job.milliseconds + 20_000,
        );
        child.once("message", (tally: LoadTally) => {
          clearTimeout(giveUp);
          if (tally.problem === null) resolve(tally);
          else reject(new Error(tally.problem));
        });
        child.send(job);
      }),
    end: () => void child.kill("SIGTERM"),
  };
}

function pinned(core: string, command: readonly string[]): [string, ...string[]] {
  return ["taskset", "-c", core, ...command];
}

// Starts what we measure, on its assigned core. Servers are on one core and the load generator on another, so that neither takes
// the other's time; without `taskset` nothing is pinned, and the report says so.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { answerOf, spawnChild } from "./children.ts";
import type { LoadJob, LoadTally } from "./load-generator.ts";
import type { PostJob, PostTally } from "./post-generator.ts";
import type { StreamJob, StreamTally } from "./stream-generator.ts";
import type { TransferJob, TransferTally } from "./transfer-generator.ts";

export const root = join(import.meta.dirname, "..");
export const isPinned = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;
const [serverCore, loadCore] = ["0", "1"];

// A folder that is removed at the end of its scope.
export const tempFolder = (name: string) => mkdtempDisposableSync(join(tmpdir(), `atelier-bench-${name}-`));

// Of the embedded PostgreSQL of a home.
export const postmasterPid = (home: string) =>
  Number(readFileSync(join(home, "postgres/postmaster.pid"), "utf8").split("\n")[0]);

export interface Started extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  // If true, on the core of what is measured.
  readonly isPinned?: boolean | "with the load";
}

export async function startUntilReady(
  command: readonly [string, ...string[]],
  options: StartOptions = {},
): Promise<Started> {
  const began = performance.now();
  const [program, ...words] =
    options.isPinned === true
      ? onServerCore(command)
      : options.isPinned === "with the load"
        ? onLoadCore(command)
        : command;
  const child = spawn(program, words, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // All load comes from one address.
    env: { ...process.env, ATELIER_ANONYMOUS_REQUESTS_PER_MINUTE: "1000000000", ...options.env },
  });
  return startedAs(child, Number(new URL(await readyUrl(child)).port), performance.now() - began);
}

export function startedAs(child: ChildProcess, port: number, readyMs: number): Started {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    const giveUp = setTimeout(() => child.kill("SIGKILL"), 30_000);
    await gone;
    clearTimeout(giveUp);
  };
  return { pid: child.pid ?? 0, port, readyMs, stop, [Symbol.asyncDispose]: stop };
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

export const node = (file: string): [string, ...string[]] => [
  process.execPath,
  "--conditions=atelier-source",
  join(root, file),
];

export const bareFastify = () => startUntilReady(node("bench/bare-fastify.ts"), { isPinned: true });

export const atelier = (home: string, isPinned: boolean, more: AtelierOptions = {}) =>
  startUntilReady([process.execPath, ...(more.flags ?? []), join(root, "packages/cli/bin/atelier.mjs"), "serve"], {
    isPinned,
    env: { ATELIER_HOME: home, ATELIER_PORT: "0", ...more.env },
  });

export interface AtelierOptions {
  readonly env?: Readonly<Record<string, string>>;
  // Flags for node.
  readonly flags?: readonly string[];
}

export interface Loader<Job, Tally> extends Disposable {
  run(job: Job): Promise<Tally>;
}

export const startLoader = (): Loader<LoadJob, LoadTally> => loaderOf("bench/load-generator.ts");
export const startPoster = (): Loader<PostJob, PostTally> => loaderOf("bench/post-generator.ts");
export const startTransfer = (): Loader<TransferJob, TransferTally> => loaderOf("bench/transfer-generator.ts");
export const startStreams = (): Loader<StreamJob, StreamTally> => loaderOf("bench/stream-generator.ts");

function loaderOf<Job extends { milliseconds: number }, Tally extends { problem: string | null }>(
  file: string,
): Loader<Job, Tally> {
  const child = spawnChild(onLoadCore(node(file)));
  return {
    async run(job) {
      const tally = await answerOf<Tally>(child, job.milliseconds + 20_000, job);
      if (tally.problem !== null) throw new Error(tally.problem);
      return tally;
    },
    [Symbol.dispose]: () => void child.kill("SIGTERM"),
  };
}

export function onServerCore(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return isPinned ? ["taskset", "-c", serverCore, ...command] : command;
}

export function onLoadCore(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return isPinned ? ["taskset", "-c", loadCore, ...command] : command;
}

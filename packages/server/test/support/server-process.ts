// A whole server in a separate process, through the real command, for what only a real process can show (kill -9,
// signals, the embedded PostgreSQL). Ended by its pid, with a time limit.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leashed } from "./ends-with-us.ts";
import { programMsMax, waitSecondsMax } from "./limits.ts";
import { prepareHome } from "./prepared-database.ts";

const bin = join(import.meta.dirname, "../../../cli/bin/atelier.mjs");

// Share Node's compile cache: compiling is most of a process's startup time.
const cache = process.env["NODE_COMPILE_CACHE"];
// Files that a killed server leaves in the temporary folder are removed with the run.
const temporary = process.env["TMPDIR"];
const passedOn: Readonly<Record<string, string>> = {
  ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
  ...(temporary === undefined ? {} : { TMPDIR: temporary }),
};

export interface ServerProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly process: ChildProcess;
  // Everything it wrote on standard error.
  log(): string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ServerProcessOptions {
  readonly home: string;
  // Another command that reports when it is ready; `serve` by default.
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  // Leaves out the settings that allow for a busy machine.
  readonly isAsShipped?: boolean;
  // The command of another version; this checkout's by default.
  readonly program?: string;
  // Begins in an empty home with nothing at all, initdb and migrations included, as a user's first start does.
  readonly isFirstStart?: boolean;
}

// A machine that runs many tests at once is slow. That is neither overload nor an endless node.
const patience = { ATELIER_QUEUE_AGE_MS_MAX: "60000", ATELIER_NODE_SECONDS_MAX: "600" };

// A test that timed out, or failed before it could clean up, leaves nothing behind: a server that is told to stop also
// stops its PostgreSQL.
const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGTERM");
});

export function runAtelier(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  program = bin,
): ChildProcess {
  // Not in this checkout: a developer's own settings and files there must not affect a test.
  const child = spawn(...leashed(process.execPath, [program, ...words]), {
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: join(tmpdir(), "atelier-nobody"), ...passedOn, ...env },
  });
  living.add(child);
  child.once("exit", () => living.delete(child));
  return child;
}

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const settings = {
    ATELIER_HOME: options.home,
    ATELIER_PORT: "0",
    ATELIER_SANDBOX: "off",
    ATELIER_LOG_LEVEL: "info",
    ...(options.isAsShipped ? {} : patience),
    ...options.env,
  };
  const usesEmbedded = options.command === undefined && options.env?.["DATABASE_URL"] === undefined;
  if (usesEmbedded && options.program === undefined && !options.isFirstStart) await prepareHome(options.home);
  const child = runAtelier(options.command ?? ["serve"], settings, options.program);
  let out = "";
  let err = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ready = new Promise<string>((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error(`The server did not become ready.\n${err}`)), programMsMax);
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const line = /^ready (\S+)/m.exec(out);
      if (line?.[1]) {
        clearTimeout(giveUp);
        resolve(line[1]);
      }
    });
    child.once("exit", (code) => {
      clearTimeout(giveUp);
      reject(new Error(`The server ended with ${code} before it was ready.\n${err}`));
    });
  });
  const baseUrl = await ready;
  return {
    pid: child.pid ?? 0,
    baseUrl,
    process: child,
    log: () => err,
    async kill(signal) {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

export async function collectOutput(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), programMsMax);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(giveUp);
  return { code, out, err };
}

// The pid of a home's embedded PostgreSQL. Null if none runs.
export function postgresPid(home: string): number | null {
  try {
    const pid = Number(readFileSync(join(home, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

// Waits for a condition, never for a fixed time; fails loudly.
export async function until<T>(
  what: string,
  look: () => Promise<T | null | false> | T | null | false,
  secondsMax = waitSecondsMax,
): Promise<T> {
  const end = performance.now() + secondsMax * 1000;
  for (;;) {
    const found = await Promise.resolve(look()).catch(() => null);
    if (found !== null && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

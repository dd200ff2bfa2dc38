// The only way to start a thread or a process of our own code. Two things are easily forgotten, and then only show in the
// shipped program: in a checkout the code is TypeScript and our packages resolve to their sources, so every thread and child
// needs the flags again (the command line's hook only works in its own thread); and nothing of our environment, which holds
// credentials, may be passed on. An architecture test ensures that no code starts one anywhere else.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Confinement } from "./isolation/confinement.ts";

// The file of this name next to the calling module: the source in a checkout, the built file in a package.
export function ownEntry(name: string, besides: string): URL {
  return new URL(`${name}${besides.endsWith(".ts") ? ".ts" : ".js"}`, besides);
}

// The flags Node needs to run it.
function flagsFor(entry: URL): string[] {
  return entry.pathname.endsWith(".ts") ? ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning"] : [];
}

// Where Node keeps what it compiled, if this process keeps it. A thread or child would otherwise strip types and compile
// everything again, which is most of its start. Node adds a folder for its version and flags to the one it is given.
function compiledCode(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

// For a thread or child that has loaded its code. Node writes it down at a regular exit, but most of them are killed.
export function keepCompiledCode(): void {
  flushCompileCache();
}

interface OwnThreadOptions {
  readonly youngMegabytesMax?: number;
}

// Does not keep the process running; a caller that waits for its answers calls `ref`.
export function startThread(entry: URL, options: OwnThreadOptions = {}): Worker {
  const { youngMegabytesMax } = options;
  const thread = new Worker(entry, {
    env: { ...compiledCode() },
    execArgv: flagsFor(entry),
    ...(youngMegabytesMax === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax } }),
  });
  thread.unref();
  return thread;
}

interface OwnProcessOptions {
  readonly words?: readonly string[];
  // For Node and V8: heap sizes and the like.
  readonly nodeFlags?: readonly string[];
  readonly serialization?: "json" | "advanced";
  readonly errorOutput: "pipe" | "inherit";
  readonly confinement?: Confinement;
}

// Communicates over a channel; its standard output is discarded.
export function startProcess(entry: URL, options: OwnProcessOptions): ChildProcess {
  const { confinement } = options;
  const { through, user, folder } = confinement ?? {};
  const flags = [...(options.nodeFlags ?? []), ...(confinement?.nodeFlags ?? []), ...flagsFor(entry)];
  return fork(fileURLToPath(entry), [...(options.words ?? [])], {
    // Nothing from our environment: no credentials, no options. Windows cannot start a process without SystemRoot.
    env: { ...(process.platform === "win32" ? { SystemRoot: "C:\\Windows" } : {}), ...compiledCode() },
    ...(through === undefined
      ? { execArgv: flags }
      : { execPath: through.program, execArgv: [...through.words(process.execPath), ...flags] }),
    ...user,
    ...(folder === undefined ? {} : { cwd: folder }),
    serialization: options.serialization ?? "json",
    stdio: [
      "ignore",
      "ignore",
      options.errorOutput,
      "ipc",
      ...(through === undefined ? [] : (["pipe", "pipe"] as const)),
    ],
  });
}

interface AgainOptions {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly outputFile: number;
}

// Starts this program once more, with other arguments, and it outlives us. Its own entry file knows how to find our sources.
export function startAgain({ words, env, outputFile }: AgainOptions): ChildProcess {
  const [program = ""] = process.argv.slice(1);
  return spawn(process.execPath, [...process.execArgv, program, ...words], {
    detached: true,
    stdio: ["ignore", outputFile, outputFile],
    env: { ...env },
  });
}

interface ChannelOptions {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

// Starts this program once more, with other arguments and a channel. It notices when we are gone, and its output is ours.
export function startWithChannel({ words, env }: ChannelOptions): ChildProcess {
  const [program = ""] = process.argv.slice(1);
  return spawn(process.execPath, [...process.execArgv, program, ...words], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...env },
  });
}

// Ends this process when its parent is gone, even while it is stuck in a loop and cannot notice a closed channel. An orphan gets
// another parent, so its parent's id changes; if it does not (Windows), we check whether the parent is alive. The thread runs
// none of our files and costs about 8 MB.
export function dieWithParent(parentPid: number): void {
  // The first process of its own namespace cannot see its parent, and ends with it by the kernel's hand (bubblewrap).
  if (process.pid === 1) return;
  const source = `
    const { workerData: parent } = require("node:worker_threads");
    setInterval(() => {
      let alive = process.platform === "win32" || process.ppid === parent;
      try { process.kill(parent, 0); } catch (error) { alive = alive && error.code === "EPERM"; }
      if (!alive) process.kill(process.pid, "SIGKILL");
    }, 1000);`;
  const watch = new Worker(source, {
    eval: true,
    workerData: parentPid,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  watch.unref();
  giveUpThreads();
}

// Node's permissions do not hold threads. This was the only one we need.
function giveUpThreads(): void {
  const held: { drop?: (scope: string) => void } | undefined = process.permission;
  held?.drop?.("worker");
}

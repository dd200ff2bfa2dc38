// The one way in which a thread or a process of our own code begins. Two things are easily forgotten, and forgotten they
// show only where the program runs as it is shipped: in a checkout the code is TypeScript and our packages resolve to
// their sources, which a thread or a child must be told anew (the hook of the command line is heard in its own thread
// only); and nothing of our environment, where credentials stand, may go along. An architecture test ensures that no code
// begins one anywhere else.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

// The file of this name beside the module that asks: the source in a checkout, what was built of it in a package.
export function ownEntry(name: string, besides: string): URL {
  return new URL(`${name}${besides.endsWith(".ts") ? ".ts" : ".js"}`, besides);
}

// What Node must be told to run it.
function flagsFor(entry: URL): string[] {
  return entry.pathname.endsWith(".ts") ? ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning"] : [];
}

interface OwnThreadOptions {
  readonly youngMegabytesMax?: number;
}

// Never keeps the process running by itself; a caller that waits for its answers calls `ref`.
export function startThread(entry: URL, options: OwnThreadOptions = {}): Worker {
  const { youngMegabytesMax } = options;
  const thread = new Worker(entry, {
    env: {},
    execArgv: flagsFor(entry),
    ...(youngMegabytesMax === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax } }),
  });
  thread.unref();
  return thread;
}

interface OwnProcessOptions {
  readonly words?: readonly string[];
  // Of Node and its engine: sizes of heaps and the like.
  readonly nodeFlags?: readonly string[];
  readonly serialization?: "json" | "advanced";
  readonly errorOutput: "pipe" | "inherit";
}

// Speaks with us over a channel; its standard output goes nowhere.
export function startProcess(entry: URL, options: OwnProcessOptions): ChildProcess {
  return fork(fileURLToPath(entry), [...(options.words ?? [])], {
    // Nothing of ours: no credentials, no options. Windows cannot start a process without SystemRoot.
    env: process.platform === "win32" ? { SystemRoot: "C:\\Windows" } : {},
    execArgv: [...(options.nodeFlags ?? []), ...flagsFor(entry)],
    serialization: options.serialization ?? "json",
    stdio: ["ignore", "ignore", options.errorOutput, "ipc"],
  });
}

interface AgainOptions {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly outputFile: number;
}

// The program that runs here once more, with other words, and it outlives us. It was begun by its own file, which knows
// how our sources are found.
export function startAgain({ words, env, outputFile }: AgainOptions): ChildProcess {
  const [program = ""] = process.argv.slice(1);
  return spawn(process.execPath, [...process.execArgv, program, ...words], {
    detached: true,
    stdio: ["ignore", outputFile, outputFile],
    env: { ...env },
  });
}

// Ends this process when its parent is gone, also while it is stuck in a loop and cannot hear a channel close. An orphan
// gets another parent, so its parent's id changes; where it does not (Windows), the parent is asked for. The thread runs
// none of our files and costs about 8 MB.
export function dieWithParent(parentPid: number): void {
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
}

// Runs a program of the harness in a separate process: it says "ready" over the channel, is killed, stopped and continued
// by its pid, and never outlives the harness.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { programMsMax } from "../support/limits.ts";

export interface ChildProgram {
  readonly process: ChildProcess;
  readonly port: number;
  readonly isRunning: boolean;
  // The end of its standard error, for the report if it died on its own.
  lastWords(): string;
  send(message: object): void;
  // Resolves with the line that the program writes when it strikes itself. Null if that does not happen in time.
  struck(secondsMax: number): Promise<string | null>;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
}

const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

export async function startProgram(file: string, settings: object, cacheFolder: string): Promise<ChildProgram> {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(settings)], {
    execArgv: ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning"],
    // Caches the compiled sources, because the same program is started hundreds of times.
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: cacheFolder },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  living.add(child);
  child.once("exit", () => living.delete(child));
  let words = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4_000);
  });
  const port = await readyPort(child, file, () => words);
  return {
    process: child,
    port,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    lastWords: () => words,
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    struck: (secondsMax) => nextStrike(child, secondsMax),
    async kill(signal) {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

function readyPort(child: ChildProcess, file: string, words: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => fail("did not become ready"), programMsMax);
    const fail = (how: string) => {
      clearTimeout(giveUp);
      reject(new Error(`${file} ${how}.\n${words()}`));
    };
    const ended = () => fail("ended before it was ready");
    child.once("exit", ended);
    child.once("message", (message) => {
      clearTimeout(giveUp);
      child.off("exit", ended);
      resolve(typeof message === "object" && "port" in message ? Number(message.port) : 0);
    });
  });
}

function nextStrike(child: ChildProcess, secondsMax: number): Promise<string | null> {
  return new Promise((resolve) => {
    let text = "";
    const done = (line: string | null) => {
      clearTimeout(giveUp);
      child.stdout?.off("data", read);
      resolve(line);
    };
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const line = /^struck (\S+)\n/m.exec(text);
      if (line?.[1]) done(line[1]);
    };
    const giveUp = setTimeout(() => done(null), secondsMax * 1000);
    child.stdout?.on("data", read);
  });
}

// Starts application.child.ts and waits for its address. Killing it and starting another on the same home and port is what
// a crash and a restart of the application look like from outside.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ChildMessage, StartMessage } from "./application.child.ts";

export interface SpawnedSandboxApplication {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  // Resolves when the process has ended, for whatever reason.
  readonly ended: Promise<void>;
  // At once and without a word; resolves when the process has ended.
  kill(): Promise<void>;
}

const startMsMax = 30_000;

export async function spawnSandboxApplication(options: StartMessage["start"]): Promise<SpawnedSandboxApplication> {
  const isSource = import.meta.url.endsWith(".ts");
  const entry = new URL(`./application.child${isSource ? ".ts" : ".js"}`, import.meta.url);
  const child = fork(fileURLToPath(entry), [], {
    // Windows cannot start a process without SystemRoot.
    env: process.platform === "win32" ? { SystemRoot: "C:\\Windows" } : {},
    execArgv: isSource ? ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning"] : [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = () => {
    child.kill("SIGKILL");
    return ended;
  };
  try {
    const { port, url } = await readyOf(child, ended, { start: options });
    // It must not keep its parent running.
    child.unref();
    child.channel?.unref();
    return { port, url, pid: child.pid ?? 0, ended, kill };
  } catch (thrown) {
    await kill();
    throw thrown;
  }
}

function readyOf(
  child: ChildProcess,
  ended: Promise<void>,
  message: StartMessage,
): Promise<{ port: number; url: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The application did not start in time.")), startMsMax);
    child.once("message", (reply: ChildMessage) => {
      clearTimeout(timer);
      if ("ready" in reply) resolve(reply.ready);
      else reject(new Error(`The application did not start: ${reply.failed}`));
    });
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error("The application ended before it was ready."));
    });
    child.send(message);
  });
}

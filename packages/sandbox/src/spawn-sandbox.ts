// Starts sandbox.child.ts and waits for its address. The child gets an empty environment: nothing of ours is in it.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ChildMessage, StartMessage } from "./sandbox.child.ts";
import type { RunningSandbox } from "./start-sandbox.ts";

export interface SpawnedSandbox extends RunningSandbox {
  readonly pid: number;
  // Resolves when the process has ended, for whatever reason.
  readonly ended: Promise<void>;
}

const startMsMax = 30_000;

export async function spawnSandbox(options: StartMessage["start"] = {}): Promise<SpawnedSandbox> {
  const isSource = import.meta.url.endsWith(".ts");
  const entry = new URL(`./sandbox.child${isSource ? ".ts" : ".js"}`, import.meta.url);
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
  const stop = () => {
    child.kill("SIGKILL");
    return ended;
  };
  try {
    const { port, url } = await readyOf(child, ended, { start: options });
    // A sandbox must not keep its parent running.
    child.unref();
    child.channel?.unref();
    return { port, url, pid: child.pid ?? 0, ended, close: stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

function readyOf(
  child: ChildProcess,
  ended: Promise<void>,
  message: StartMessage,
): Promise<{ port: number; url: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The sandbox did not start in time.")), startMsMax);
    child.once("message", (reply: ChildMessage) => {
      clearTimeout(timer);
      if ("ready" in reply) resolve(reply.ready);
      else reject(new Error(`The sandbox did not start: ${reply.failed}`));
    });
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error("The sandbox ended before it was ready."));
    });
    child.send(message);
  });
}

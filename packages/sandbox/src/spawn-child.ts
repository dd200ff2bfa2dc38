// Starts a program of the sandbox in a separate process and waits for its address. The child gets no
// credentials of ours (own-code.ts), and it never keeps its parent running.
import type { ChildProcess } from "node:child_process";
import { startProcess } from "@atelier/engine/own-code";
import type { ChildReply } from "./serve-parent.ts";

export interface SpawnedChild {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  // Resolves when the process has ended, for whatever reason.
  readonly ended: Promise<void>;
  // Kills it immediately; resolves when the process has ended.
  kill(): Promise<void>;
}

const startMsMax = 30_000;

// `name` is used in its failure messages.
export async function spawnChild(entry: URL, name: string, options: object): Promise<SpawnedChild> {
  const child = startProcess(entry, { errorOutput: "inherit" });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = () => {
    child.kill("SIGKILL");
    return ended;
  };
  try {
    const { port, url } = await readyOf(child, ended, name, options);
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
  name: string,
  options: object,
): Promise<{ port: number; url: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The ${name} did not start in time.`)), startMsMax);
    child.once("message", (reply: ChildReply) => {
      clearTimeout(timer);
      if ("ready" in reply) resolve(reply.ready);
      else reject(new Error(`The ${name} did not start: ${reply.failed}`));
    });
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`The ${name} ended before it was ready.`));
    });
    child.send({ start: options });
  });
}

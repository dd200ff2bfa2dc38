// A real NATS for tests, on loopback, if the machine has one (Debian: nats-server).
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { endsWithUs } from "./ends-with-us.ts";
import { freePort } from "./free-port.ts";
import { isListening } from "./is-listening.ts";

export const hasNats = spawnSync("nats-server", ["--version"]).status === 0;

export interface TestNats {
  readonly url: string;
  readonly port: number;
  start(...words: readonly string[]): Promise<void>;
  // Kills it like a machine that loses power.
  kill(): Promise<void>;
}

export async function testNats(): Promise<TestNats> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    async start(...words) {
      child = endsWithUs(spawn("nats-server", ["-a", "127.0.0.1", "-p", String(port), ...words], { stdio: "ignore" }));
      for (let tries = 0; !(await isListening(port)); tries += 1) {
        if (tries > 1_000 || child.exitCode !== null) throw new Error(`nats-server did not start (${child.exitCode})`);
        await sleep(20);
      }
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

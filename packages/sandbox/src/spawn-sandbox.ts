// The sandbox's models and partners in a separate process.
import { ownEntry } from "@atelier/engine/own-code";
import type { SandboxChildOptions } from "./sandbox.child.ts";
import { type SpawnedChild, spawnChild } from "./spawn-child.ts";
import type { RunningSandbox } from "./start-sandbox.ts";

export interface SpawnedSandbox extends RunningSandbox, Pick<SpawnedChild, "pid" | "ended"> {}

export async function spawnSandbox(options: SandboxChildOptions = {}): Promise<SpawnedSandbox> {
  const entry = ownEntry("./sandbox.child", import.meta.url);
  const { kill, ...spawned } = await spawnChild(entry, "sandbox", options);
  return { ...spawned, close: kill };
}

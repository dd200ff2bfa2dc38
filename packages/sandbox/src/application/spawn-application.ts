// The sandbox application in a separate process. Killing it and starting another on the same home and port is what a crash and a
// restart of the application look like from outside.
import { ownEntry } from "@atelier/engine/own-code";
import { type SpawnedChild, spawnChild } from "../spawn-child.ts";
import type { ApplicationChildOptions } from "./application.child.ts";

export type SpawnedSandboxApplication = SpawnedChild;

export function spawnSandboxApplication(options: ApplicationChildOptions): Promise<SpawnedSandboxApplication> {
  const entry = ownEntry("./application.child", import.meta.url);
  return spawnChild(entry, "application", options);
}

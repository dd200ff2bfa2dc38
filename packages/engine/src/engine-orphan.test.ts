import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { canHold, isolationLevels } from "./isolation/levels.ts";
import { whyNot } from "./isolation/open-isolation.ts";

for (const level of isolationLevels.filter((each) => canHold(each, "engine"))) {
  const reason = await whyNot(level);
  test(`a stuck child does not outlive a killed parent: ${level}`, { skip: reason ?? false }, async (context) => {
    // A killed parent removes nothing.
    const folder = await mkdtemp(join(tmpdir(), "atelier-orphan-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const holder = spawn(
      process.execPath,
      ["--conditions=atelier-source", fileURLToPath(new URL("../test/support/pool-holder.ts", import.meta.url)), level],
      { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, TMPDIR: folder } },
    );
    const [line] = await once(holder.stdout, "data");
    const child = Number(String(line));
    holder.kill("SIGKILL");
    await until(() => !isAlive(child));
  });
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!isTrue()) {
    assert.ok(performance.now() < end, "it came true in time");
    await setTimeout(50);
  }
}

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { until } from "./support/server-process.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-leash-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a server started by a test is stopped when the test's process is killed", {
  skip: spawnSync("setpriv", ["--pdeathsig", "TERM", "true"]).status !== 0 && "this machine has no setpriv",
}, async () => {
  const served = join(folder, "served.mjs");
  // A server that is slow to stop still stops.
  await writeFile(
    served,
    "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 60_000); console.log('up');",
  );
  const support = pathToFileURL(join(import.meta.dirname, "support/server-process.ts")).href;
  const code = `import { runAtelier } from ${JSON.stringify(support)};
    const child = runAtelier([], {}, ${JSON.stringify(served)});
    child.stdout.once("data", () => console.log(child.pid));`;
  const running = spawn(process.execPath, ["--conditions=atelier-source", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(running.stdout, "data");
  const pid = Number(String(said));
  assert.ok(isThere(pid));
  running.kill("SIGKILL");
  await once(running, "exit");
  await until("it is gone", () => !isThere(pid));
});

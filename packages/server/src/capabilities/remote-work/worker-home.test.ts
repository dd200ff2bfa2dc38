import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isUuid } from "../../foundation/ids.ts";
import { openWorkerHome } from "./worker-home.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-worker-home-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a worker keeps its id between its lives, in a file that nobody else can read", () => {
  const home = join(folder, "kept");
  const first = openWorkerHome(home);
  assert.ok(isUuid(first.workerId));
  assert.equal(statSync(join(home, "worker.json")).mode & 0o777, 0o600);
  writeFileSync(join(first.spoolDirectory, "left behind"), "x");
  first.release();
  const second = openWorkerHome(home);
  assert.equal(second.workerId, first.workerId);
  assert.ok(!existsSync(join(second.spoolDirectory, "left behind")));
  second.release();
});

test("a lock that a killed process left is taken over, one of a living process is not", () => {
  const home = join(folder, "locked");
  openWorkerHome(home).release();
  // The highest possible process id, which hardly any process has.
  writeFileSync(join(home, "worker.lock"), "4194303");
  openWorkerHome(home).release();
  writeFileSync(join(home, "worker.lock"), String(process.ppid));
  assert.throws(() => openWorkerHome(home), /Another worker/);
});

test("a lock whose number is not written yet is somebody's, until it has been empty for long", () => {
  const home = join(folder, "beginning");
  openWorkerHome(home).release();
  const lock = join(home, "worker.lock");
  writeFileSync(lock, "");
  assert.throws(() => openWorkerHome(home), /Another worker \(starting just now\)/);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  openWorkerHome(home).release();
});

test("an unreadable state file gives a new worker instead of a failure", () => {
  const home = join(folder, "broken");
  const first = openWorkerHome(home);
  first.release();
  for (const text of ["", "{", '{"worker_id": 7}', '{"worker_id": "x"}', "null"]) {
    writeFileSync(join(home, "worker.json"), text);
    const again = openWorkerHome(home);
    assert.ok(isUuid(again.workerId) && again.workerId !== first.workerId, text);
    again.release();
  }
});

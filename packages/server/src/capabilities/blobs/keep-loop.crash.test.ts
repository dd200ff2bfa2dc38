// A process that keeps blobs is killed over and over in the middle of it. What it acknowledged must be there, whole; what
// it did not must be gone after the next collection.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { testS3 } from "../../../test/support/test-s3.ts";
import { sql } from "../../foundation/database/index.ts";
import { openBlobStorage, parseBlobAddress } from "./blob-address.ts";
import { type BlobsFixture, blobsFixture, brokenInvariants, countRows, never, readWhole } from "./blobs.fixture.ts";
import type { S3Credentials } from "./s3/s3-client.ts";

// A smoke test; the long proof is the same with more kills: ATELIER_TEST_BLOB_KILLS=500 (npm run torture -- blobs).
const longer = Number(process.env["ATELIER_TEST_BLOB_KILLS"] ?? 0);
// The small store from npm walks all its folders for every page of a list and answers nothing meanwhile, so after a
// thousand blobs it is judged and replaced by a new one.
const killsPerStore = 50;
const compiled = mkdtempSync(join(tmpdir(), "atelier-compiled-"));
after(() => rmSync(compiled, { recursive: true, force: true }));

interface Acknowledged {
  readonly hash: string;
  readonly size: number;
  readonly id: string;
}

// A process that has loaded everything and waits for input.
function aChild(settings: object) {
  return spawn(
    process.execPath,
    ["--conditions=atelier-source", join(import.meta.dirname, "keeping/keep-loop.child.ts"), JSON.stringify(settings)],
    { stdio: ["pipe", "pipe", "inherit"], env: { NODE_COMPILE_CACHE: compiled, ...process.env } },
  );
}

// Runs until it is killed: after some acknowledgements and a little longer, so that the kill can fall anywhere.
function runAndKill(child: ReturnType<typeof aChild>, acknowledged: Acknowledged[], afterLines: number): Promise<void> {
  let lines = 0;
  const giveUp = setTimeout(() => child.kill("SIGABRT"), 120_000);
  createInterface({ input: child.stdout }).on("line", (line) => {
    acknowledged.push(JSON.parse(line));
    if (++lines === afterLines) setTimeout(() => child.kill("SIGKILL"), Math.random() * 15);
  });
  child.stdin.on("error", () => {}).write("go\n");
  return new Promise((resolve, reject) => {
    child.once("close", (_code, signal) => {
      clearTimeout(giveUp);
      if (signal === "SIGKILL" && lines >= afterLines) resolve();
      else reject(new Error(`The child ended by ${signal ?? "itself"} after ${lines} of ${afterLines} lines.`));
    });
  });
}

// Two processes at once, so that a collector of one meets the uploads of the other; the next two load meanwhile.
async function killPairs(settings: object, kills: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const aPair = () => [aChild(settings), aChild(settings)];
  let [pair, waiting] = [aPair(), aPair()];
  try {
    for (let kill = 0; kill < kills; kill += 2) {
      const lines = () => 5 + Math.floor(Math.random() * 20);
      await Promise.all(pair.map((child) => runAndKill(child, acknowledged, lines())));
      [pair, waiting] = [waiting, kill + 4 < kills ? aPair() : []];
    }
  } finally {
    for (const child of [...pair, ...waiting]) child.kill("SIGKILL");
  }
  return acknowledged;
}

async function crash(
  fixture: BlobsFixture,
  target: { address: string; shares: boolean; s3Credentials?: S3Credentials },
  kills: number,
) {
  const { database } = fixture;
  // A long run must fit into a small store, because a full one keeps its writers waiting.
  const bytesMax = longer > 100 ? 200_000 : 2_000_000;
  const settings = { ...target, databaseUrl: database.url, callers: 4, bytesMax, collects: true, waits: true };
  const acknowledged = await killPairs(settings, kills);
  const parsed = parseBlobAddress(target.address);
  assert.ok("address" in parsed);
  const storage = await openBlobStorage(parsed.address, target);
  const blobs = fixture.blobs({ storage, graceSeconds: 0, stagingSeconds: -1, takeoverSeconds: 0 });

  assert.deepEqual(await brokenInvariants(database), []);
  // The dead processes' pins expire, and a collector runs.
  await fixture.age("2 hours");
  await blobs.collect({ dryRun: false, signal: never });
  const held = await database.query<{ id: string }>(sql`select holder_id as id from blob_references`);
  const ids = new Set(held.map(({ id }) => id));
  for (const { hash, size, id } of acknowledged) {
    assert.ok(ids.has(id));
    assert.equal((await readWhole(blobs, hash))?.length, size);
  }
  const stored: string[] = [];
  for await (const { hash } of storage.list()) stored.push(hash);
  const wanted = await database.query<{ hash: string }>(sql`
    select distinct encode(hash, 'hex') as hash from blob_references order by hash`);
  assert.deepEqual(
    stored,
    wanted.map(({ hash }) => hash),
  );
  assert.deepEqual(await countRows(database), { blobs: stored.length, pins: 0, references: held.length });
  const again = await storage.sweepStaging({
    before: new Date(Date.now() + 1000),
    dryRun: true,
    isWanted: async () => true,
  });
  assert.deepEqual(again, { removed: 0, restored: 0 });
  return acknowledged.length;
}

test("kills on files: every acknowledged blob is whole, and nothing else is left", async (t) => {
  const fixture = await blobsFixture();
  try {
    t.diagnostic(
      `${await crash(fixture, { address: `file:${fixture.directory}`, shares: true }, longer || 24)} acknowledged`,
    );
    assert.deepEqual(await fixture.filesIn("tmp"), []);
  } finally {
    await fixture.close();
  }
});

test("kills on S3: every acknowledged blob is whole, and nothing else is left", async (t) => {
  let acknowledged = 0;
  for (let left = longer || 6; left > 0; left -= killsPerStore) {
    acknowledged += await crashOnS3(Math.min(left, killsPerStore));
    if (longer > 0) t.diagnostic(`${Math.max(0, left - killsPerStore)} kills left, ${acknowledged} acknowledged`);
  }
  t.diagnostic(`${acknowledged} acknowledged`);
});

async function crashOnS3(kills: number): Promise<number> {
  const fixture = await blobsFixture();
  const s3 = await testS3(600 + kills * 10);
  try {
    // If an upload breaks off, the small store from npm truncates an object that already exists; S3 does not.
    const target = { address: s3.address, shares: s3.isThorough, s3Credentials: s3.credentials };
    return await crash(fixture, target, kills);
  } finally {
    await s3.close();
    await fixture.close();
  }
}

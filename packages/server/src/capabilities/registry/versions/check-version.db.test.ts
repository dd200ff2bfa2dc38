import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sourceOf } from "../../../foundation/byte-source.ts";
import { sql } from "../../../foundation/database/index.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CheckReport } from "../checks/check-archive.ts";
import { createNodeIn } from "../nodes/change-node.ts";
import type { CodeReading } from "../python/read-code.ts";
import { operator } from "../readers/reader.ts";
import { putArchive } from "./archive-store.ts";
import { type CheckDeps, checkVersion, checkWaiting } from "./check-version.ts";
import { readWaiting } from "./read-waiting.ts";
import { claimReadings } from "./reading-store.ts";
import type { VersionId } from "./stored-version.ts";
import { findVersionById } from "./version-store.ts";
import { insertVersion } from "./version-write-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const hash = "ab".repeat(32);
const clean: CheckReport = { verdict: "clean", findings: [], readme: null, code: null };
const never = new AbortController().signal;

function depsWith(check: CheckDeps["checks"]["check"], released: string[] = []): CheckDeps {
  return {
    database,
    blobs: {
      open: async () => {
        const stream = Readable.from([]);
        return { size: 0, stream, source: sourceOf(stream) };
      },
      release: async (_, gone) => void released.push(gone),
    },
    checks: { ruleSetVersion: "test-1", atOnce: 1, check },
    clock: handClock(),
    log: { warn: () => {}, info: () => {} },
    nodesChanged: async () => {},
  };
}

async function uploaded(nodeId: string): Promise<VersionId> {
  const id = newId<"node-version">();
  await database.transaction(async (tx) => {
    const now = new Date();
    const nodeRowId = await createNodeIn(tx, { id: nodeId, name: nodeId }, { publisher: null, now });
    const rest = { changelog: null, dependencies: [], tags: [], supportedOs: null, supportedAccelerators: null };
    const fields = { ...rest, supportedAppVersion: null, supportedAppFrontendVersion: null };
    await insertVersion(tx, { ...fields, id, nodeRowId, version: "1.0.0", now });
    await putArchive(tx, { id, hash, size: 1, leaseSeconds: 15 });
  });
  return id;
}

const versionOf = async (id: VersionId) => findVersionById(database, id, operator);
const endLease = (id: VersionId) =>
  database.execute(sql`update node_versions set check_leased_until = now() - interval '1 second' where id = ${id}`);

test("an archive that somebody checks is left to them until their lease is over", async () => {
  const id = await uploaded("leased");
  const deps = depsWith(async () => clean);
  assert.deepEqual(await checkWaiting(deps, { count: 5, minAgeSeconds: 0 }, never), []);
  await endLease(id);
  assert.deepEqual(await checkWaiting(deps, { count: 5, minAgeSeconds: 0 }, never), [id]);
  assert.equal((await versionOf(id))?.status, "NodeVersionStatusActive");
  assert.equal((await versionOf(id))?.ruleSet, "test-1");
});

test("a check that is lost three times ends in a verdict that says so", async () => {
  const id = await uploaded("lost");
  const deps = depsWith(async () => null);
  for (const attempts of [1, 2]) assert.equal(await checkVersion(deps, { id, attempts }, never), null);
  assert.equal((await versionOf(id))?.status, "NodeVersionStatusPending");
  const verdict = await checkVersion(deps, { id, attempts: 3 }, never);
  assert.equal(verdict?.status, "NodeVersionStatusFlagged");
  assert.deepEqual(
    verdict?.findings.map(({ code }) => code),
    ["check_gave_up"],
  );
});

test("bytes that are no archive are let go, and the number is free", async () => {
  const id = await uploaded("none");
  const released: string[] = [];
  const findings = [{ code: "archive_unreadable", message: "No." }];
  const verdict = await checkVersion(
    depsWith(async () => ({ verdict: "unreadable", findings, readme: null, code: null }), released),
    { id, attempts: 1 },
    never,
  );
  assert.equal(verdict?.isDiscarded, true);
  assert.deepEqual(released, [hash]);
  const version = await versionOf(id);
  assert.deepEqual(
    [version?.archive, version?.status, version?.findings],
    [null, "NodeVersionStatusPending", findings],
  );
});

test("a verdict is written once, and an operator who was faster is not overruled", async () => {
  const id = await uploaded("decided");
  const deps = depsWith(async () => {
    await database.execute(sql`update node_versions set status = 'NodeVersionStatusBanned' where id = ${id}`);
    return clean;
  });
  assert.equal((await checkVersion(deps, { id, attempts: 1 }, never))?.status, "NodeVersionStatusBanned");
  assert.equal(await checkVersion(deps, { id, attempts: 1 }, never), null);
});

const reading: CodeReading = {
  extraction: {
    status: "partial",
    reasons: ["a.py:1: something."],
    classes: [{ name: "Read", fields: { function: "run" } }],
  },
  uses: [{ kind: "network", atImport: true, name: "requests.get", file: "a.py", line: 2 }],
  capabilities: ["network", "network_at_import"],
};
const unread = (id: VersionId) =>
  database.execute(sql`update node_versions set reader = 0, reading_leased_until = null where id = ${id}`);

test("a version that no reader has read is read in the background, once, and again after the process that read it died", async () => {
  const id = await uploaded("read-later");
  await checkVersion(
    depsWith(async () => clean),
    { id, attempts: 1 },
    never,
  );
  assert.equal((await versionOf(id))?.extractStatus, "failed");
  await unread(id);
  let asked = 0;
  const deps = depsWith(async () => {
    asked++;
    return { ...clean, code: reading };
  });
  // Another process claimed it and died: it waits until the lease has ended.
  await claimReadings(database, { count: 1, leaseSeconds: 100 });
  assert.equal(await readWaiting(deps, 10, never), 0);
  await database.execute(
    sql`update node_versions set reading_leased_until = now() - interval '1 second' where id = ${id}`,
  );
  assert.equal(await readWaiting(deps, 10, never), 1);
  assert.equal(await readWaiting(deps, 10, never), 0);
  assert.equal(asked, 1);
  const version = await versionOf(id);
  assert.deepEqual([version?.extractStatus, version?.extractReasons], ["partial", ["a.py:1: something."]]);
  assert.deepEqual(version?.capabilities, ["network", "network_at_import"]);
});

test("a version whose reader is lost three times is left unread, with a reason", async () => {
  const id = await uploaded("never-read");
  await checkVersion(
    depsWith(async () => clean),
    { id, attempts: 1 },
    never,
  );
  await unread(id);
  for (let attempt = 1; attempt <= 3; attempt++) {
    assert.equal(
      await readWaiting(
        depsWith(async () => null),
        1,
        never,
      ),
      1,
    );
    await database.execute(sql`update node_versions set reading_leased_until = now() - interval '1 second'
      where id = ${id} and reading_leased_until is not null`);
  }
  assert.equal(
    await readWaiting(
      depsWith(async () => null),
      1,
      never,
    ),
    0,
  );
  const version = await versionOf(id);
  assert.deepEqual([version?.extractStatus, version?.extractReasons], ["failed", ["The archive could not be read."]]);
});

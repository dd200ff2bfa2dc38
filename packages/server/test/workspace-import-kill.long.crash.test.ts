// An import that is killed at any moment leaves no part of the workspace, and can be repeated; once it is done, it is done once.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { fillWorkspace } from "./support/filled-workspace.ts";
import { sandboxApps } from "./support/sandbox-app.ts";
import { collectOutput, runAtelier } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const kills = 12;

test("killed at any moment, an import leaves nothing or all, and the next one ends it", {
  timeout: 1_800_000,
}, async () => {
  const apps = await sandboxApps();
  const folder = await mkdtemp(join(tmpdir(), "atelier-killed-"));
  try {
    const [old, other] = [await apps.open(), await apps.open()];
    await fillWorkspace(old);
    const start = (app: TestApp, ...words: string[]) =>
      runAtelier(["workspace", ...words], { ATELIER_HOME: app.home, DATABASE_URL: app.database.url });
    const exported = join(folder, "exported");
    const { code, err } = await collectOutput(start(old, "export", old.workspaceId, exported));
    assert.equal(code, 0, err);
    const from = (await collectOutput(start(old, "signer"))).out.trim();
    const begin = () => start(other, "import", exported, "--from", from, "--credits");
    const begun = performance.now();
    await collectOutput(start(other, "import", exported, "--from", from, "--check"));
    const tookMs = performance.now() - begun;
    let wasHere = false;
    for (let kill = 0; kill < kills && !wasHere; kill++) {
      const child = begin();
      const ended = collectOutput(child);
      // Most of the time goes to starting; what matters is in the second half.
      await new Promise((resolve) => setTimeout(resolve, tookMs * (0.4 + (0.6 * kill) / kills)));
      child.kill("SIGKILL");
      await ended;
      const [left] = await other.database.query<{ rows: number; jobs: number }>(sql`
        select (select count(*)::int from workspaces where id = ${old.workspaceId}) as rows,
          (select count(*)::int from jobs where workspace_id = ${old.workspaceId}) as jobs`);
      assert.ok(left);
      wasHere = left.rows === 1;
      assert.equal(left.jobs > 0, wasHere, "all or nothing");
      for (const { name, statement } of allInvariants)
        assert.deepEqual(await other.database.query(statement), [], name);
    }
    const last = await collectOutput(begin());
    assert.match(`${last.out}${last.err}`, wasHere ? /is already here/ : /is here/);
    const again = await collectOutput(begin());
    assert.match(`${again.out}${again.err}`, /is already here/);
    const [funds] = await other.database.query(sql`
      select count(*)::int as times from journal where workspace_id = ${old.workspaceId} and kind = 'fund'`);
    assert.deepEqual(funds, { times: 1 }, "credits are granted once");
    for (const { name, statement } of allInvariants) assert.deepEqual(await other.database.query(statement), [], name);
  } finally {
    await apps.close();
    await rm(folder, { recursive: true, force: true });
  }
});

// `atelier workspace move`: the steps, in their order, on a real database.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { commandInput } from "../../../test/support/command-input.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { bootstrap } from "../../capabilities/identity/index.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { serverCommands } from "../../main.ts";

let database: TestDatabase;
let home: string;
let id: WorkspaceId;

before(async () => {
  database = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "atelier-workspace-"));
  const audit = createAudit({ database });
  const made = await bootstrap({ db: database, clock: handClock(), audit, workspaceCreated: async () => {} }, null);
  assert.ok(made.fresh);
  id = made.workspaceId;
});
after(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const listed = serverCommands.find(({ name }) => name === "workspace");
  assert.ok(listed);
  const env = { ATELIER_HOME: home, DATABASE_URL: database.url, ATELIER_LOG_LEVEL: "silent" };
  return (await listed.load()).run(listed, commandInput(["move", id, ...words], { env }));
}

const textOf = (result: { readonly text?: unknown }) => String(result.text);

test("begin, export, done and undo", async () => {
  for (const words of [[], ["--done", "--undo"], ["--to", "nowhere"], ["--done", "--export", "x"]])
    await assert.rejects(run(...words), UsageProblem, words.join(" "));
  await assert.rejects(run("--done"), /Begin first/);
  assert.match(textOf(await run("--to", "https://other.example/")), /takes no new work here\. Nothing runs any more/);
  const folder = join(home, "moved");
  assert.match(textOf(await run("--to", "https://other.example", "--export", folder)), /move .* --done/);
  assert.ok(existsSync(join(folder, "workspace.jsonl")));
  await database.execute(sql`
    insert into wallets (workspace_id, available, in_flight) values (${id}, 0, 1)
    on conflict (workspace_id) do update set in_flight = 1`);
  await assert.rejects(run("--done"), /1 call\(s\) still run here/);
  await database.execute(sql`update wallets set in_flight = 0 where workspace_id = ${id}`);
  assert.match(textOf(await run("--done")), /moved to https:\/\/other\.example/);
  assert.match(textOf(await run("--undo")), /stays here/);
  const left = await database.query(sql`select from workspace_moves`);
  assert.equal(left.length, 0);
});

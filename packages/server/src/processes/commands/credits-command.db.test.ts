// `atelier credits`, the first workspace's credits and the invariant watch, on a real database.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { commandInput } from "../../../test/support/command-input.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { findWallet, fundWallet } from "../../capabilities/calls/shared-sql.ts";
import { bootstrap } from "../../capabilities/identity/index.ts";
import { sql } from "../../foundation/database/index.ts";
import { createInvariantWatch } from "../../foundation/database/invariant-watch.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createMetrics } from "../../foundation/metrics.ts";
import { Secret, UsageProblem } from "../../foundation/settings.ts";
import { serverCommands } from "../../main.ts";
import { firstWorkspaceCreated } from "../build/build-capabilities.ts";
import { allInvariants } from "../invariants.ts";

const loopback = { host: "127.0.0.1", bootstrapKey: null, bootstrapCredits: 10_000 };
let database: TestDatabase;
let home: string;
let workspaceId: WorkspaceId;

before(async () => {
  database = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "atelier-credits-"));
  workspaceId = await start(database, loopback);
});
after(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

async function start(db: TestDatabase, config: Parameters<typeof firstWorkspaceCreated>[0]): Promise<WorkspaceId> {
  const audit = createAudit({ database: db });
  const workspaceCreated = firstWorkspaceCreated(config);
  const made = await bootstrap({ db, clock: handClock(), audit, workspaceCreated }, null);
  assert.ok(made.fresh);
  return made.workspaceId;
}

async function run(...words: string[]) {
  const listed = serverCommands.find(({ name }) => name === "credits");
  assert.ok(listed);
  return (await listed.load()).run(
    listed,
    commandInput(words, { env: { ATELIER_HOME: home, DATABASE_URL: database.url, ATELIER_LOG_LEVEL: "silent" } }),
  );
}

test("a fresh install's first workspace starts with the configured credits, by a fund line; beyond loopback only with a chosen key", async () => {
  assert.equal((await findWallet(database, workspaceId)).available, 10_000_000_000n);
  const cases: [Parameters<typeof firstWorkspaceCreated>[0], bigint][] = [
    [{ ...loopback, host: "0.0.0.0" }, 0n],
    [{ ...loopback, baseUrl: "https://behind-a-proxy.example" }, 0n],
    [{ ...loopback, host: "0.0.0.0", bootstrapKey: new Secret("service-chosen"), bootstrapCredits: 7 }, 7_000_000n],
    [{ ...loopback, bootstrapCredits: 0 }, 0n],
  ];
  for (const [config, expected] of cases) {
    const fresh = await testDatabase();
    try {
      assert.equal((await findWallet(fresh, await start(fresh, config))).available, expected);
    } finally {
      await fresh.close();
    }
  }
});

test("adds, shows and takes out, each audited as the command line's", async () => {
  const added = await run("add", "250.5", "--note", "Invoice 7");
  assert.equal(added.text, "Added 250.5 credits. 10250.5 credits available, 0 held by 0 calls in flight.");
  await run("withdraw", "0.5", "--workspace", workspaceId);
  const shown = await run("show");
  assert.match(
    String(shown.text),
    /^10250 credits available.*\n\S+ {2}withdraw +-0\.5 .*\n\S+ {2}fund +250\.5 .*\n\S+ {2}fund +10000 /,
  );
  const rows = await database.query(sql`
    select action, actor_name from audit_entries where action like 'credits.%' order by at`);
  assert.deepEqual(rows, [
    { action: "credits.fund", actor_name: "command line" },
    { action: "credits.withdraw", actor_name: "command line" },
  ]);
});

test("refuses nonsense before it opens anything, and impossible requests with the reason", async () => {
  for (const words of [["add", "0"], ["add", "-5"], ["add", "many"], ["refund", "x"], ["gift"], ["add"]]) {
    await assert.rejects(run(...words), UsageProblem, words.join(" "));
  }
  await assert.rejects(run("withdraw", "99999999"), { code: "conflict" });
  await assert.rejects(run("refund", newId()), { code: "not_found" });
  await assert.rejects(run("add", "1", "--workspace", newId()), { code: "not_found" });
});

test("the watch shows each invariant's broken rows, and NaN where it cannot look", async () => {
  const metrics = createMetrics();
  const failing = { name: "broken watch", statement: sql`select * from no_such_table` };
  const invariants = [...allInvariants, failing];
  const watch = createInvariantWatch({ database, log: silentLog, metrics, invariants });
  const signal = new AbortController().signal;
  const brokenOf = async (name: string) =>
    new RegExp(`atelier_invariants_broken\\{invariant="${name}[^"]*"\\} (\\S+)`).exec(await metrics.text())?.[1];
  assert.ok(allInvariants.length >= 12);
  assert.equal(await brokenOf("I1 "), "Nan");
  assert.equal(await watch.look(signal), 0);
  assert.deepEqual([await brokenOf("I1 "), await brokenOf("broken watch")], ["0", "Nan"]);
  await fundWallet(database, { transactionId: newId(), workspaceId, amount: 1n });
  await database.execute(sql`update wallets set available = available + 1 where workspace_id = ${workspaceId}`);
  assert.equal(await watch.look(signal), 1);
  assert.deepEqual([await brokenOf("I1 "), await brokenOf("I6 ")], ["1", "0"]);
  await database.execute(sql`update wallets set available = available - 1 where workspace_id = ${workspaceId}`);
  metrics.stop();
});

// `atelier operators`, `atelier person` and `atelier open`, on a real database.
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { commandInput } from "../../../test/support/command-input.ts";
import { until } from "../../../test/support/server-process.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { bootstrap } from "../../capabilities/identity/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { serverCommands } from "../../main.ts";
import type { CommandInput } from "./command.ts";
import { browserCommand } from "./open-command.ts";

let database: TestDatabase;
let home: string;
let personId: string;
before(async () => {
  database = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "atelier-operators-"));
  const audit = createAudit({ database });
  const made = await bootstrap({ db: database, clock: handClock(), audit, workspaceCreated: async () => {} }, null);
  assert.ok(made.fresh);
  personId = made.personId;
});
after(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

async function run(words: readonly string[], more: Partial<CommandInput> = {}) {
  const [name, ...rest] = words;
  const listed = serverCommands.find((one) => one.name === name);
  assert.ok(listed);
  const env = {
    ATELIER_HOME: home,
    DATABASE_URL: database.url,
    ATELIER_LOG_LEVEL: "silent",
    PATH: process.env["PATH"],
  };
  return (await listed.load()).run(listed, commandInput(rest, { ...more, env: { ...env, ...more.env } }));
}

test("operators are listed, removed and added; an unknown person is refused", async () => {
  const ids = async () => Object(await run(["operators", "list"])).data.map((one: { id: string }) => one.id);
  assert.deepEqual(await ids(), [personId]);
  await run(["operators", "remove", personId]);
  assert.deepEqual(await ids(), []);
  await run(["operators", "add", personId]);
  assert.deepEqual(await ids(), [personId]);
  await assert.rejects(run(["operators", "add", "Ada"]), /Pass a person id/);
  await assert.rejects(run(["operators", "add", "019a0000-0000-7000-8000-000000000000"]), /no person with this id/);
});

test("an auditor is listed with the role, and is made an operator instead", async () => {
  const roles = async () => Object(await run(["operators", "list"])).data.map((one: { role: string }) => one.role);
  const made = await run(["operators", "add", personId, "--auditor"]);
  assert.deepEqual([made.text, await roles()], ["Owner is an auditor.", ["auditor"]]);
  await run(["operators", "add", personId]);
  assert.deepEqual(await roles(), ["operator"]);
});

test("a person is exported, printed or into a new file; the only owner is not erased, and an erasure is confirmed", async () => {
  const printed = Object(await run(["person", "export", personId]));
  assert.equal(printed.data.profile[0].id, personId);
  assert.equal(JSON.parse(printed.text).memberships[0].role, "owner");
  const file = join(home, "person.json");
  assert.match(String((await run(["person", "export", personId, "-o", file])).text), /person\.json\n +profile +1/);
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")).profile, JSON.parse(printed.text).profile);
  await assert.rejects(run(["person", "export", personId, "-o", file]), /cannot be written/);
  await assert.rejects(run(["person", "erase", personId]), /Confirm with --yes/);
  await assert.rejects(run(["person", "erase", personId, "--yes"]), /The only owner of "Default workspace"/);
  await assert.rejects(run(["person", "export", "Ada"]), /Pass a person id/);
  const unknown = "019a0000-0000-7000-8000-000000000000";
  await assert.rejects(run(["person", "export", unknown]), /no person with this id/);
  await assert.rejects(run(["person", "erase", unknown, "--yes"]), /no person with this id/);
});

test("open passes a one-time link to the browser, and prints it without one or on request", async () => {
  const [program, got] = [join(home, "browser.sh"), join(home, "opened.txt")];
  await writeFile(program, `#!/bin/sh\nprintf %s "$1" > "${got}.new" && mv "${got}.new" "${got}"\n`);
  await chmod(program, 0o700);
  const link = /^http:\/\/127\.0\.0\.1:8080\/sign-in\/[\w-]{43}$/;
  assert.equal((await run(["open"], { env: { BROWSER: program } })).text, "Opened in your browser.");
  await until("the browser was given the link", async () => link.test(await readFile(got, "utf8").catch(() => "")));
  for (const words of [["open"], ["open", "--print"]]) assert.match(String((await run(words)).text), link);
  assert.match(String((await run(["open"], { env: { BROWSER: join(home, "absent") } })).text), link);
  const { data } = await run(["open"], { json: true, env: { BROWSER: program } });
  assert.match(Object(data).link, link);
});

test("each system has its way to open a browser, and a machine without a screen has none", () => {
  assert.deepEqual(browserCommand({}, "darwin"), ["open"]);
  assert.deepEqual(browserCommand({}, "win32"), ["rundll32", "url.dll,FileProtocolHandler"]);
  assert.deepEqual(browserCommand({ DISPLAY: ":0" }, "linux"), ["xdg-open"]);
  assert.equal(browserCommand({}, "linux"), null);
});

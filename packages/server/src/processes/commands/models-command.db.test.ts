// `atelier models` on a real database: it writes what the admin API would have written.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { commandInput } from "../../../test/support/command-input.ts";
import { aDefinition, aModel } from "../../../test/support/provider-example-calls.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { serverCommands } from "../../main.ts";

let database: TestDatabase;
let home: string;
before(async () => {
  database = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "atelier-models-"));
});
after(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const listed = serverCommands.find(({ name }) => name === "models");
  assert.ok(listed);
  return (await listed.load()).run(
    listed,
    commandInput(words, {
      isUnicode: false,
      env: { ATELIER_HOME: home, DATABASE_URL: database.url, ATELIER_LOG_LEVEL: "silent", ...env },
    }),
  );
}

async function fileOf(name: string, value: unknown): Promise<string> {
  const path = join(home, name);
  await writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

test("a definition is stored, listed, shown, released and removed; then the file applies again, and every step is audited", async () => {
  const inFile = await fileOf("file.json", aDefinition("example", { models: [aModel({ model: "from-file" })] }));
  const env = { ATELIER_PROVIDERS: inFile };
  const stored = aDefinition("example");
  const put = await run(["put", await fileOf("put.json", stored)], env);
  assert.deepEqual(put.data, { provider: "example", version: 1, is_new: true });
  const price = { price_credits: "4.22", example_credits_max: "4.22" };
  const listed = {
    ...{ id: "example/sketch-2", source: "admin", version: 1, released: false, release_override: null },
    ...{ not_served_because: "no: not released", verified: null },
    ...price,
  };
  const listing = async () => {
    const { data } = await run(["list"], env);
    return Array.isArray(data) ? data.filter(({ source }) => source !== "built_in") : [];
  };
  assert.deepEqual(await listing(), [listed]);
  assert.deepEqual(JSON.parse(String((await run(["show", "example"], env)).text)), stored);
  const shown = String((await run(["show", "example/sketch-2"], env)).text);
  assert.match(shown, /price in credits {6}4\.22\nits example costs {5}at most 4\.22 credits/);
  await assert.rejects(run(["show", "example/none"], env), /no model example\/none/);
  assert.deepEqual((await run(["release", "example/sketch-2", "on"], env)).warnings, []);
  const served = { released: true, release_override: true, not_served_because: null };
  assert.deepEqual(await listing(), [{ ...listed, ...served }]);
  await run(["release", "example/sketch-2", "default"], env);
  await run(["remove", "example"], env);
  assert.deepEqual(await listing(), [{ ...listed, id: "example/from-file", source: "file", version: null }]);
  const audit = createAudit({ database });
  const { entries } = await audit.list({ filter: {}, before: null, limit: 20 });
  assert.deepEqual(entries.map(({ action }) => action).reverse(), [
    "provider.put",
    "model.release",
    "model.release",
    "provider.remove",
  ]);
  assert.deepEqual(entries[0]?.actor, { kind: "system", id: null, name: "command line" });
});

test("a usage error is refused in words before anything is stored", async () => {
  const wrong = aDefinition("wrong", { models: [aModel({ recovery: "ask" })] });
  const calls: readonly [readonly string[], RegExp][] = [
    [["put", await fileOf("wrong.json", wrong)], /\/models\/0\/ask is required/],
    [["put", await fileOf("text.json", "{")], /is not JSON/],
    [["put", join(home, "none.json")], /Cannot read /],
    [["release", "Example", "on"], /Pass a model id/],
    [["release", "example/sketch-2", "maybe"], /on, off or default/],
    [["show", "nobody"], /There is no provider nobody/],
  ];
  for (const [words, problem] of calls) {
    await assert.rejects(run(words), (error: unknown) => {
      assert.ok(error instanceof UsageProblem, String(error));
      assert.match(error.message, problem);
      return true;
    });
  }
  const unknown = await run(["release", "sandbox/image-1", "off"]);
  assert.equal(unknown.warnings?.length, 1);
});

test("every shipped provider is listed, with the setting it needs; a stored one without a credential says so", async () => {
  const { data } = await run(["list"]);
  const bfl = Array.isArray(data) ? data.find(({ id }) => id === "bfl/flux-2-pro") : null;
  assert.equal(bfl?.not_served_because, "no: needs ATELIER_PROVIDER_BFL_KEY");
  const needing = aDefinition("needing", { credential: { kind: "bearer", setting: "ATELIER_PROVIDER_NEEDING_KEY" } });
  const put = await run(["put", await fileOf("needing.json", needing)]);
  assert.match(put.warnings?.join() ?? "", /404 until the server has a credential.*ATELIER_PROVIDER_NEEDING_KEY/);
  await run(["remove", "needing"]);
});

test("a model is deprecated with a date at least 90 days away, and withdrawn", async () => {
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await assert.rejects(run(["deprecate", "sandbox/image-1", "--sunset", soon]), UsageProblem);
  const retired = await run(["deprecate", "sandbox/image-1", "--sunset", "2126-01-01"]);
  assert.match(String(retired.text), /is deprecated and will be removed on 2126-01-01/);
  assert.match(String((await run(["deprecate", "sandbox/image-1", "--undo"])).text), /is no longer deprecated/);
});

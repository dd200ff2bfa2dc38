import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { UsageProblem } from "../commands/command.ts";
import { readRules } from "./build-registry.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-rules-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(folder, "rules.json");
  await writeFile(path, text);
  return path;
}

test("an operator's rules stand beside the built-in ones, and both versions are told", async () => {
  const rule = { code: "acme_telemetry", message: "Sends telemetry.", in: "strings", pattern: "telemetry\\.example" };
  const registryRules = await fileWith(JSON.stringify({ version: "acme-1", rules: [rule] }));
  const ruleSet = await readRules({ registryRules });
  assert.equal(ruleSet.version, "atelier-2+acme-1");
  assert.ok(ruleSet.rules.some(({ code }) => code === "acme_telemetry"));
  assert.equal((await readRules({ registryRules: null })).version, "atelier-2");
});

test("rules that cannot be read end the start", async () => {
  for (const text of ["{", '{"rules": []}', '{"version": "1", "without": ["nothing"]}']) {
    await assert.rejects(async () => readRules({ registryRules: await fileWith(text) }), UsageProblem);
  }
  await assert.rejects(readRules({ registryRules: join(folder, "absent.json") }), UsageProblem);
});

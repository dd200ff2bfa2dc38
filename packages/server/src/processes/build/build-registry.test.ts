import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { UsageProblem } from "../../foundation/settings.ts";
import { readRules, requireReachable } from "./build-registry.ts";

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

test("an operator's rules apply beside the built-in ones, and both versions are reported", async () => {
  const rule = { code: "acme_telemetry", message: "Sends telemetry.", in: "strings", pattern: "telemetry\\.example" };
  const registryRules = await fileWith(JSON.stringify({ version: "acme-1", rules: [rule] }));
  const ruleSet = await readRules({ registryRules });
  assert.equal(ruleSet.version, "atelier-2+acme-1");
  assert.ok(ruleSet.rules.some(({ code }) => code === "acme_telemetry"));
  assert.equal((await readRules({ registryRules: null })).version, "atelier-2");
});

test("unreadable rules abort the start", async () => {
  for (const text of ["{", '{"rules": []}', '{"version": "1", "without": ["nothing"]}']) {
    await assert.rejects(async () => readRules({ registryRules: await fileWith(text) }), UsageProblem);
  }
  await assert.rejects(readRules({ registryRules: join(folder, "absent.json") }), UsageProblem);
});

test("an upstream at a link-local or metadata address aborts the start, and so does a local one when others can reach us", () => {
  const here = { host: "127.0.0.1", baseUrl: null, platformUrl: null, contentUrl: null, deploymentUrl: null };
  const beyond = { ...here, host: "0.0.0.0" };
  const proxied = { ...here, baseUrl: "https://studio.example" };
  const starts = (reach: typeof here | typeof proxied, registryUpstream: string) => {
    try {
      requireReachable({
        ...reach,
        registryUpstream,
        registryUpstreamContent: null,
        codeHostApiUrl: null,
        egressAllow: [],
      });
      return true;
    } catch (thrown) {
      assert.ok(thrown instanceof UsageProblem);
      assert.match(thrown.message, /ATELIER_REGISTRY_UPSTREAM /);
      return false;
    }
  };
  for (const url of [
    "https://169.254.169.254",
    "http://100.100.100.200",
    "https://[fd00:ec2::254]",
    "https://[fe80::1]",
    "https://[::ffff:10.0.0.1]",
    "https://user:secret@registry.example",
  ])
    for (const reach of [here, beyond]) assert.equal(starts(reach, url), false, url);
  for (const reach of [here, beyond, proxied]) assert.ok(starts(reach, "https://registry.example"));
  assert.ok(starts(here, "http://127.0.0.1:8123"));
  for (const reach of [beyond, proxied]) assert.equal(starts(reach, "http://127.0.0.1:8123"), false);
});

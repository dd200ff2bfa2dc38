// docs/SDK.md and the package's README are correct: the README's code runs against the real server, and no export is
// undocumented.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { testApp } from "../../server/test/support/test-app.ts";
import * as badges from "../src/badges.ts";
import * as blake3 from "../src/blake3.ts";
import * as core from "../src/index.ts";
import * as webhooks from "../src/webhooks.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/SDK.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "atelier-sdk-page-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// docs/SDK.md itself runs with all other pages: packages/cli/test/documents.pack.test.ts.
test("the code of the package's README runs", { timeout: 900_000 }, async () => {
  mkdirSync(join(folder, "node_modules/@atelier"), { recursive: true });
  symlinkSync(join(root, "packages/sdk"), join(folder, "node_modules/@atelier/sdk"));
  const [, readme = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "packages/sdk/README.md"), "utf8")) ?? [];
  writeFileSync(join(folder, "readme.ts"), readme);
  // With everything that `npm start` brings: the sandbox's models and partners.
  const app = await testApp({ env: { ATELIER_SANDBOX: "on" } });
  try {
    const env = { PATH: process.env["PATH"] ?? "", ATELIER_URL: app.baseUrl, ATELIER_API_KEY: app.key };
    const args = ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning", "readme.ts"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env, timeout: 900_000 });
    assert.match(stdout, /blue_00001_\.png \d+\nhttp.*\n[\s\S]*width/);
  } finally {
    await app.close();
  }
});

// Containers are reached through the client; failures are listed in the table.
const inProse = (value: unknown): boolean =>
  [
    core.Assets,
    core.Budgets,
    core.Classes,
    core.Estimates,
    core.Jobs,
    core.JobHandle,
    core.ModelRequestHandle,
    core.Models,
    core.PartnerA,
    core.PartnerB,
    core.Partners,
    core.Registry,
    core.Requests,
    core.Routes,
    core.SavedWorkflows,
    core.Tokens,
    core.WorkLinks,
    core.Works,
  ].some((each) => each === value) ||
  (typeof value === "function" && value.prototype instanceof core.AtelierError);

test("every export is on the page: in code that runs, or as a failure in the table", () => {
  const code = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]).join("\n");
  for (const [name, value] of [core, badges, blake3, webhooks].flatMap((entrance) => Object.entries(entrance))) {
    const word = new RegExp(`\\b${name}\\b`);
    if (inProse(value)) continue;
    assert.match(code, word);
  }
  for (const [name, value] of Object.entries(core)) {
    if (typeof value === "function" && value.prototype instanceof core.AtelierError)
      assert.ok(page.includes(`\`${name}\``), name);
  }
});

test("every method of the client's members is on the page", () => {
  const missing: string[] = [];
  for (const [name, value] of Object.entries(core)) {
    if (typeof value !== "function" || /Error$/.test(name) || value.prototype instanceof Error) continue;
    for (const method of Object.getOwnPropertyNames(value.prototype ?? {})) {
      if (method === "constructor") continue;
      if (!new RegExp(`\\b${method}\\b`).test(page)) missing.push(`${name}.${method}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("every exported class and function says what it is, and every operation has an example or a sentence", () => {
  const undocumented: string[] = [];
  for (const file of globSync("packages/sdk/src/{,works/}*.ts", { cwd: root })) {
    if (file.endsWith(".test.ts") || !isEntrance(file)) continue;
    const text = readFileSync(join(root, file), "utf8");
    for (const match of text.matchAll(/^export (?:abstract )?(?:async )?(?:class|function) (\w+)/gm)) {
      const before = text.slice(0, match.index).trimEnd();
      if (!before.endsWith("*/")) undocumented.push(`${file}: ${match[1]}`);
    }
  }
  assert.deepEqual(undocumented, []);
});

const entrances = [
  "assets",
  "atelier",
  "badges",
  "blake3",
  "exact-json",
  "failures",
  "jobs",
  "models",
  "partners",
  "registry",
];
const isEntrance = (file: string) =>
  [...entrances, "webhooks", "work-links", "workflow", "works"].some((name) => file.endsWith(`/${name}.ts`));

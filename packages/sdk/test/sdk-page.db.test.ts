// docs/SDK.md is right: its code runs, in order, against the real server; and no export is undocumented.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { sandboxApps } from "../../server/test/support/sandbox-app.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/SDK.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "atelier-sdk-page-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("every piece of code on the page runs", { timeout: 90_000 }, async () => {
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  assert.ok(blocks.length >= 8);
  const imports = blocks.flatMap((block) => block.match(/^import .*$/gm) ?? []);
  // What is declared outside of a block is used by the later ones; types are the compiler's business.
  const code = blocks.map((block) =>
    block.replaceAll(/^import .*$/gm, "").replaceAll(/^declare module [\s\S]*?^\}$/gm, ""),
  );
  mkdirSync(join(folder, "node_modules/@atelier"), { recursive: true });
  symlinkSync(join(root, "packages/sdk"), join(folder, "node_modules/@atelier/sdk"));
  writeFileSync(join(folder, "page.ts"), [...imports, ...code].join("\n"));
  const apps = await sandboxApps();
  try {
    const app = await apps.open();
    const env = { PATH: process.env["PATH"] ?? "", ATELIER_URL: app.baseUrl, ATELIER_API_KEY: app.key };
    const args = ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning", "page.ts"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env, timeout: 60_000 });
    for (const word of ["sandbox/image-1", "18446744073709551615n", "TYPED", "succeeded", "hello", "width", "true"])
      assert.ok(stdout.includes(word), `${word}\n${stdout}`);
  } finally {
    await apps.close();
  }
});

test("every exported class and function says what it is, and every operation has an example or a sentence", () => {
  const undocumented: string[] = [];
  for (const file of globSync("packages/sdk/src/*.ts", { cwd: root })) {
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
  [...entrances, "webhooks", "workflow"].some((name) => file.endsWith(`/${name}.ts`));

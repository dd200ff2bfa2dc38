// The pages are built once and completely, however many processes ask for them at the same time: servers that start, and
// packing. This builds a copy of the checkout's folders, so that no other test reads pages while they change.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { programMsMax } from "../../server/test/support/limits.ts";
import { checkout, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
after(() => folder.remove());

test("three processes that need the pages at once get one complete build, and leave nothing of it behind", async () => {
  const own = join(folder.path, "packages/console");
  mkdirSync(own, { recursive: true });
  for (const name of ["node", "src", "build.mjs", "index.html", "package.json", "tsconfig.json"])
    cpSync(join(checkout, "packages/console", name), join(own, name), { recursive: true });
  for (const name of ["node_modules", "tsconfig.base.json", "packages/sdk", "packages/contract"])
    symlinkSync(join(checkout, name), join(folder.path, name));
  // A checkout after a change: it has pages, but built from older sources.
  mkdirSync(join(own, "dist/app"), { recursive: true });
  writeFileSync(join(own, "dist/app/stamp"), "older");
  const asked = pathToFileURL(join(own, "node/index.ts")).href;
  const code = `import { statSync } from "node:fs";
const { ensureConsole } = await import(${JSON.stringify(asked)});
const { folder } = await ensureConsole();
process.stdout.write(String(statSync(folder).ino));`;
  const inodes = await Promise.all([1, 2, 3].map(() => said(code)));
  assert.equal(new Set(inodes).size, 1, "one build");
  const built = readdirSync(join(own, "dist/app"));
  const parts: { file: string; css?: string[]; assets?: string[] }[] = Object.values(
    JSON.parse(readFileSync(join(own, "dist/app/manifest.json"), "utf8")),
  );
  const named = parts.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((name) => !built.includes(name) && !built.includes(`${name}.br`)),
    [],
  );
  assert.ok(built.includes("index.html"));
  assert.deepEqual([readdirSync(join(own, "dist")), existsSync(join(own, "building"))], [["app"], false]);
});

function said(code: string): Promise<string> {
  const child = spawn(process.execPath, ["--conditions=atelier-source", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: programMsMax,
  });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) =>
      status === 0 ? resolve(text) : reject(new Error(`ended with ${status}\n${text}`)),
    );
  });
}

// Slim Debian and Ubuntu lack libatomic.so.1, which the Node that we bring needs, so the loader refuses it with exit code
// 127. Uses a small checkout with such a Node, built from the real scripts.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { programMsMax } from "../../server/test/support/limits.ts";
import { checkout, ownEnvironment, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
after(() => folder.remove());
const lockFile = join(checkout, "package-lock.json");
const brought = `node-${process.platform}-${process.arch}/bin/node`;
const modules = join(folder.path, "node_modules");
const isLinux = process.platform === "linux";
const script = "packages/cli/bin/atelier.mjs";

const loaderRefuses = `#!/bin/sh
echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
exit 127
`;

before(() => {
  for (const name of ["scripts", "packages/cli/bin", "packages/cli/src"])
    mkdirSync(join(folder.path, name), { recursive: true });
  copyFileSync(lockFile, join(folder.path, "package-lock.json"));
  for (const name of ["ensure-installed.mjs", "running-servers.mjs"])
    copyFileSync(join(checkout, "scripts", name), join(folder.path, "scripts", name));
  writeFileSync(
    join(folder.path, script),
    "console.log(['ran on', process.version, ...process.argv.slice(2)].join(' '));\n",
  );
  // What npm would install, with a Node that does not start.
  writeFileSync(
    join(folder.path, "npm.cjs"),
    `const fs = require("node:fs");
     fs.mkdirSync(${JSON.stringify(join(modules, brought, ".."))}, { recursive: true });
     fs.mkdirSync(${JSON.stringify(join(modules, ".bin"))}, { recursive: true });
     fs.writeFileSync(${JSON.stringify(join(modules, brought))}, ${JSON.stringify(loaderRefuses)}, { mode: 0o755 });
     fs.writeFileSync(${JSON.stringify(join(modules, ".package-lock.json"))}, "{}");
     fs.symlinkSync("../${brought}", ${JSON.stringify(join(modules, ".bin/node"))});`,
  );
});

const start = (node: string) =>
  spawnSync(node, [join(folder.path, "scripts/ensure-installed.mjs"), script, "serve"], {
    encoding: "utf8",
    timeout: programMsMax,
    env: { ...ownEnvironment, npm_execpath: join(folder.path, "npm.cjs") },
  });

const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((part) => !part.includes("node_modules"))
  .map((part) => join(part, "node"))
  .find((path) => existsSync(path) && isOld(path));
function isOld(path: string): boolean {
  const said = spawnSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout ?? "";
  const [major = 0, minor = 0] = said.trim().split(".").map(Number);
  return said !== "" && (major < 22 || (major === 22 && minor < 19));
}

test("a Node that does not start is skipped for the machine's own, and blocks nobody", {
  skip: !isLinux,
}, () => {
  const ran = start(process.execPath);
  assert.equal(ran.status, 0, ran.stderr);
  assert.equal(ran.stdout, `ran on ${process.version} serve\n`);
  assert.match(ran.stderr, /does not run here \(libatomic\.so\.1 is missing\).*apt-get install -y libatomic1/);
  assert.equal(existsSync(join(modules, ".bin/node")), false, "npm scripts would find it first");
  assert.equal(start(process.execPath).status, 0, "the second time too, without an install");
});

test("when the machine's own is too old, the message names the one command that helps", {
  skip: !isLinux || !oldNode,
}, () => {
  const ran = start(oldNode ?? "");
  assert.equal(ran.status, 1, ran.stdout);
  assert.match(ran.stderr, /libatomic\.so\.1 is missing\)\.\n {2}→ apt-get install -y libatomic1 /);
  assert.equal(ran.stdout, "");
});

test("the command itself says it too, and before an install what to do first", { skip: !isLinux || !oldNode }, () => {
  const bin = join(folder.path, "packages/cli/bin/real.mjs");
  copyFileSync(join(checkout, script), bin);
  writeFileSync(join(folder.path, "packages/cli/src/main.ts"), "");
  const run = () =>
    spawnSync(oldNode ?? "", [bin, "--version"], { encoding: "utf8", timeout: programMsMax, env: ownEnvironment });
  const refused = run();
  assert.equal(refused.status, 1, refused.stderr);
  assert.match(refused.stderr, /libatomic\.so\.1 is missing.*\n {2}→ apt-get install -y libatomic1/);
  rmSync(join(modules, ".package-lock.json"));
  const early = run();
  assert.equal(early.status, 2, early.stderr);
  assert.match(early.stderr, /The installation is not complete\.\n {2}→ run npm start/);
});

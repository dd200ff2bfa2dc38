// When npm's scripts install, and when they do not: a small checkout built from the real scripts, with a stub instead of
// npm.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { programMsMax } from "../../server/test/support/limits.ts";
import { atelier, checkout, ownEnvironment, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
after(() => folder.remove());
const at = (...path: readonly string[]) => join(folder.path, ...path);
const modules = at("node_modules");
const script = "packages/cli/bin/atelier.mjs";
const { platform, arch } = process;

type Packages = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const locked: Packages = {
  "": { name: "checkout" },
  "node_modules/one": { version: "1.0.0", integrity: "sha512-one" },
  "node_modules/for-another-machine": { version: "2.0.0", optional: true, os: ["aix"], cpu: ["ppc64"] },
  "node_modules/for-this-machine": { version: "3.0.0", optional: true, os: [platform], cpu: arch },
  "node_modules/house": { resolved: "packages/house", link: true },
};
const { "": _, "node_modules/for-another-machine": __, ...here } = locked;

const write = (file: string, packages: Packages) => writeFileSync(file, JSON.stringify({ packages }));
const byHand = (packages: Packages) => write(join(modules, ".package-lock.json"), packages);

before(() => {
  for (const name of ["scripts", "packages/cli/bin"]) mkdirSync(at(name), { recursive: true });
  for (const name of ["ensure-installed.mjs", "running-servers.mjs"])
    copyFileSync(join(checkout, "scripts", name), at("scripts", name));
  writeFileSync(at(script), "console.log('ran'); if (process.argv[2] === 'serve') setInterval(() => {}, 60_000);\n");
  writeFileSync(at("npm.cjs"), `require("node:fs").appendFileSync(${JSON.stringify(at("installs"))}, "once\\n");\n`);
});
beforeEach(() => {
  rmSync(modules, { recursive: true, force: true });
  rmSync(at("installs"), { force: true });
  mkdirSync(join(modules, `node-${platform}-${arch}`, "bin"), { recursive: true });
  symlinkSync(process.execPath, join(modules, `node-${platform}-${arch}`, "bin/node"));
  write(at("package-lock.json"), locked);
});

const run = () =>
  spawnSync(process.execPath, [at("scripts/ensure-installed.mjs"), script], {
    encoding: "utf8",
    timeout: programMsMax,
    env: { ...ownEnvironment, npm_execpath: at("npm.cjs") },
  });
const hasInstalled = () => existsSync(at("installs"));

describe("an install", { skip: platform !== "linux" && "the list of processes is Linux's here" }, () => {
  test("that was made by hand is accepted, also by the next one", () => {
    byHand(here);
    for (let turn = 0; turn < 2; turn++) {
      const ran = run();
      assert.deepEqual([ran.status, ran.stdout, ran.stderr, hasInstalled()], [0, "ran\n", "", false]);
    }
    assert.ok(
      readFileSync(join(modules, ".atelier-installed"), "utf8").endsWith(readFileSync(at("package-lock.json"), "utf8")),
    );
  });

  test("that lacks something, has another version or something extra is made again", () => {
    const { "node_modules/one": one, "node_modules/for-this-machine": own, ...others } = here;
    const wrong: readonly Packages[] = [
      { ...others, "node_modules/for-this-machine": { ...own } },
      { ...others, "node_modules/one": { ...one } },
      { ...here, "node_modules/one": { ...one, version: "1.0.1" } },
      { ...here, "node_modules/one": { ...one, integrity: "sha512-other" } },
      { ...here, "node_modules/more": { version: "1.0.0" } },
    ];
    for (const packages of wrong) {
      rmSync(at("installs"), { force: true });
      rmSync(join(modules, ".atelier-installed"), { force: true });
      byHand(packages);
      assert.equal(run().status, 0);
      assert.ok(hasInstalled(), JSON.stringify(packages));
    }
  });

  test("is never made under a running server: the process is named, and nothing is touched until it has ended", async () => {
    byHand({});
    const server = spawn(process.execPath, [script, "serve"], {
      cwd: folder.path,
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      await once(server.stdout, "data");
      const ran = run();
      assert.deepEqual([ran.status, ran.stdout, hasInstalled()], [1, "", false]);
      assert.match(
        ran.stderr,
        new RegExp(`a server of this checkout is running \\(process ${server.pid}\\)[\\s\\S]*stop it, then`),
      );
    } finally {
      server.kill("SIGKILL");
      await once(server, "exit");
    }
    assert.equal(run().status, 0);
    assert.ok(hasInstalled());
  });
});

test("atelier works through links from a folder of the path, by name and from anywhere", async () => {
  mkdirSync(at("bin"));
  mkdirSync(at("else/where"), { recursive: true });
  symlinkSync(join(checkout, "atelier"), at("else/where/linked"));
  // A relative link, and a link to a link.
  symlinkSync("../else/where/linked", at("bin/atelier"));
  const ran = await atelier(["--version"], {
    program: ["atelier"],
    folder: at("else"),
    env: { PATH: `${at("bin")}:${process.env["PATH"]}` },
  });
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^\d+\.\d+\.\d+\n$/);
});

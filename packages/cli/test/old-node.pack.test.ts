// An older Node comes first in the path: npm scripts and `npx atelier` still run on the Node of the lock file.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, describe, test } from "node:test";
import { programMsMax } from "../../server/test/support/limits.ts";
import { until } from "../../server/test/support/server-process.ts";
import { atelier, checkout, dataOf, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
after(() => folder.remove());
const bin = join(checkout, "node_modules/.bin");

// The host's path without our own folder, which npm scripts put first on their own.
const hostPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((part) => !part.includes("node_modules"))
  .join(delimiter);
const hostNode = spawnSync("node", ["-p", "process.execPath + ' ' + process.versions.node"], {
  env: { PATH: hostPath },
  encoding: "utf8",
});
const [hostNodePath = "", hostVersion = ""] = (hostNode.stdout ?? "").trim().split(" ");
const [major = 0, minor = 0] = hostVersion.split(".").map(Number);
const isOld = hostVersion !== "" && (major < 22 || (major === 22 && minor < 19));

describe("an old Node", { skip: isOld ? false : "the host's Node is new enough, or there is none" }, () => {
  test("run directly, the bin starts the Node of the checkout", async () => {
    const program = [hostNodePath, join(checkout, "packages/cli/bin/atelier.mjs")] as const;
    const ran = await atelier(["config", "--json"], { program, env: { PATH: hostPath } });
    assert.equal(ran.code, 0, ran.err);
    assert.ok(dataOf<unknown[]>(ran).length > 10);
    assert.equal((await atelier(["srve"], { program, env: { PATH: hostPath } })).code, 2, "exit codes pass through");
  });

  test("./atelier works in a checkout, from any folder, and npx finds the same", async () => {
    const own = await atelier(["--version"], { program: [join(checkout, "atelier")], env: { PATH: hostPath } });
    assert.equal(own.code, 0, own.err);
    assert.match(own.out, /^\d+\.\d+\.\d+\n$/);
    assert.ok(existsSync(join(bin, "atelier")), "npm linked the bin");
    const ran = await atelier(["--version"], {
      program: ["npx", "--no", "atelier"],
      folder: checkout,
      env: { ...npmEnv(), PATH: hostPath },
    });
    assert.equal(ran.code, 0, ran.err);
    assert.match(ran.out, /^\d+\.\d+\.\d+\n$/);
  });

  test("npm start becomes ready, and SIGTERM ends it with everything it started", async () => {
    // With another lock file, `npm start` would install while other tests use the checkout.
    const stamp = readFileSync(join(checkout, "node_modules/.atelier-installed"), "utf8");
    assert.ok(
      stamp.endsWith(readFileSync(join(checkout, "package-lock.json"), "utf8")),
      "run npm test: it installs first",
    );
    const home = join(folder.path, "home");
    const child = spawn("npm", ["start", "--silent"], {
      cwd: checkout,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...npmEnv(), PATH: hostPath, ATELIER_HOME: home, ATELIER_PORT: "0" },
    });
    const said = { text: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said.text += chunk.toString();
      });
    }
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const giveUp = setTimeout(() => child.kill("SIGKILL"), programMsMax);
    try {
      const url = await until("ready", () => /^ready (\S+)/m.exec(said.text)?.[1] ?? null);
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
    } finally {
      child.kill("SIGTERM");
      await exited;
      clearTimeout(giveUp);
    }
    await until("PostgreSQL is gone too", () => !existsSync(join(home, "postgres/postmaster.pid")));
  });
});

test("without a newer Node the bin says what it needs", { skip: !isOld }, async () => {
  const lone = join(folder.path, "package/bin");
  mkdirSync(lone, { recursive: true });
  const copy = join(lone, "atelier.mjs");
  copyFileSync(join(checkout, "packages/cli/bin/atelier.mjs"), copy);
  const ran = await atelier(["--version"], { program: [hostNodePath, copy] });
  assert.equal(ran.code, 2);
  assert.match(ran.err, /needs Node 22\.19 or newer/);
});

// npm needs a home; the rest of our environment stays out.
function npmEnv(): Record<string, string> {
  return { HOME: folder.path, npm_config_cache: join(folder.path, "npm"), npm_config_update_notifier: "false" };
}

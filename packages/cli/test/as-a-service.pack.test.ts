// The server as the shipped unit runs it (examples/systemd/atelier.service): a separate user, the checkout read-only, a
// private temporary folder, one folder that it may write to. Mount namespaces stand in for systemd. Its console is shown,
// and operators' commands from outside work beside it. One start for all of it.
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporarySocketDirectory } from "../../server/src/foundation/database/embedded/socket-directory.ts";
import { freePort } from "../../server/test/support/free-port.ts";
import { until } from "../../server/test/support/server-process.ts";
import { atelier, checkout, type Ran } from "./support/command-line.ts";

// Every Debian has this user, with a name, which initdb needs.
const user = "daemon";
const uid = Number(spawnSync("id", ["-u", user], { encoding: "utf8" }).stdout);
const become = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", "--no-new-privs"] as const;

function lacking(): string | false {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux can imitate the unit";
  if (spawnSync("unshare", ["-m", "true"]).status !== 0) return "no mount namespaces here";
  const [program, ...words] = [...become, "test", "-r", join(checkout, "package.json")];
  if (spawnSync(program, words).status !== 0) return "another user cannot read this checkout, as a service would";
  return false;
}

describe("under the shipped unit", { skip: lacking() }, () => {
  let root: string;
  let home: string;
  // A compile cache for the next command: the user cannot read root's.
  let compiled: string;
  let server: ChildProcess;
  let baseUrl: string;
  let log = "";

  before(async () => {
    // Not below the temporary folder, which the service cannot see.
    root = mkdtempSync("/var/lib/atelier-test-");
    spawnSync("chmod", ["755", root]);
    home = join(root, "home");
    compiled = join(root, "compiled");
    for (const name of ["home", "checkout", "compiled"]) mkdirSync(join(root, name), { mode: 0o700 });
    for (const own of [home, compiled]) chownSync(own, uid, uid);
    const inside = join(root, "checkout");
    // Hides a console that this checkout has already built: otherwise the recipe could leave that step out unnoticed.
    const unit = `set -e
mount --make-rprivate /
mount --bind ${checkout} ${inside}
mount -o remount,ro,bind ${inside}
if [ -d ${inside}/packages/console/dist ]; then mount -t tmpfs -o ro none ${inside}/packages/console/dist; fi
mount -t tmpfs none /tmp
mount -t tmpfs none /var/tmp
cd ${inside}
exec "$@"`;
    const program = [join(inside, "node_modules/.bin/node"), "packages/cli/bin/atelier.mjs", "serve"];
    server = spawn("unshare", ["-m", "sh", "-c", unit, "sh", ...become, "--pdeathsig=TERM", ...program], {
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        NODE_COMPILE_CACHE: compiled,
        ATELIER_HOME: home,
        ATELIER_PORT: String(await freePort()),
        ATELIER_CONTENT_PORT: "0",
        ATELIER_SANDBOX: "off",
        ATELIER_PROT: "9000",
      },
    });
    let out = "";
    server.stdout?.on("data", (piece: Buffer) => {
      out += piece.toString();
    });
    server.stderr?.on("data", (piece: Buffer) => {
      log += piece.toString();
    });
    const url = await until("the server is ready", () => {
      if (server.exitCode !== null) return "none: it ended";
      return /^ready (\S+)/m.exec(out)?.[1] ?? null;
    });
    assert.equal(server.exitCode, null, log);
    baseUrl = url;
  });
  after(async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    rmSync(root, { recursive: true, force: true });
  });

  const as = (who: readonly string[], words: readonly string[]): Promise<Ran> =>
    atelier(words, {
      program: ["env", ...who, join(checkout, "atelier")],
      folder: "/",
      env: { ATELIER_HOME: home, ...(who === become ? { NODE_COMPILE_CACHE: compiled } : {}) },
    });
  const asOperator = async (...words: readonly string[]): Promise<string> => {
    const ran = await as(become, words);
    assert.equal(ran.code, 0, `${words.join(" ")}: ${ran.out}${ran.err}`);
    return ran.out;
  };

  test("the console and the first sign-in link are shown, built where the service may write", async () => {
    const shown = await fetch(`${baseUrl}/console`, { headers: { accept: "text/html" } });
    assert.equal(shown.status, 200, log);
    assert.match(await shown.text(), /<div id="root">/);
    assert.ok(existsSync(join(home, "console/app/index.html")));
    const link = /^Sign in: {2}(\S+)/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
    const page = await fetch(new URL(new URL(link).pathname, baseUrl), { headers: { accept: "text/html" } });
    assert.equal(page.status, 200);
  });

  test("keys, credits, backup and doctor work from outside, and share the database with the server", async () => {
    assert.ok(existsSync(join(home, "postgres/.s.PGSQL.5432")), "the socket is where everybody sees it");
    const key = (await asOperator("keys", "create", "ci")).trim();
    assert.equal((await fetch(`${baseUrl}/account`, { headers: { "x-api-key": key } })).status, 200);
    assert.match(await asOperator("keys", "list"), /\bci\b/);
    assert.match(await asOperator("keys", "link"), /\/sign-in\//);
    await asOperator("credits", "show");
    await asOperator("backup");
    assert.equal(readdirSync(join(home, "backups")).length, 1);
    const doctor = await asOperator("doctor");
    for (const name of ["server", "console", "database", "key ring", "blobs"])
      assert.match(doctor, new RegExp(`^✓ ${name} `, "m"), doctor);
    assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
  });

  test("the start warns of a variable that nothing reads, and suggests the right one", () => {
    assert.match(log, /Unknown variable ATELIER_PROT\. Did you mean \\"ATELIER_PORT\\"\?/);
  });

  test("root is asked to be the service's user, and leaves nothing behind", async () => {
    const before = readdirSync(home).sort();
    for (const words of [["credits", "show"], ["secrets", "rotate"], ["doctor"]]) {
      const ran = await as([], words);
      assert.equal(ran.code, words[0] === "doctor" ? 12 : 2, ran.out + ran.err);
      assert.match(
        `${ran.out}${ran.err}`,
        new RegExp(`${home} belongs to ${user}\\.[\\s\\S]*un this as ${user}: sudo -u ${user}`),
      );
    }
    assert.deepEqual(readdirSync(home).sort(), before);
    for (const name of before) assert.equal(statSync(join(home, name)).uid, uid, name);
    assert.equal(existsSync(temporarySocketDirectory(join(home, "postgres"), tmpdir())), false);
  });

  test("SIGTERM ends the server and its PostgreSQL", async () => {
    server.kill("SIGTERM");
    await once(server, "exit");
    assert.equal(server.exitCode, 0, log);
    assert.equal(existsSync(join(home, "postgres/postmaster.pid")), false);
  });
});

// How `atelier` is called: help, wrong calls, --json, exit codes, streams. Nothing here needs a database.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { serverCommands } from "@atelier/server/commands";
import { atelier, bin, checkout, dataOf, objectOf, ownEnvironment, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
after(() => folder.remove());
const { version } = JSON.parse(readFileSync(join(checkout, "packages/cli/package.json"), "utf8"));

describe("help", () => {
  test("without words the overview shows three examples and every command", async () => {
    const { code, out, err } = await atelier([]);
    assert.equal(code, 0);
    assert.equal(err, "");
    for (const { name } of serverCommands) assert.match(out, new RegExp(`^  ${name} `, "m"));
    assert.match(out, /^ {2}atelier serve/m);
  });

  for (const command of serverCommands) {
    test(`${command.name} --help leads with its examples and lists its options`, async () => {
      const { code, out, err } = await atelier([command.name, "--help"]);
      assert.equal(code, 0);
      assert.equal(err, "");
      assert.ok(out.startsWith(`Examples:\n  ${command.examples[0]}\n`), out);
      for (const usage of command.usage) assert.ok(out.includes(`  atelier ${usage}\n`));
      for (const option of Object.keys(command.options)) assert.ok(out.includes(`--${option}`));
    });
  }

  test("help <command> and <command> --help say the same; --json gives it as one object", async () => {
    const [a, b, json] = await Promise.all([
      atelier(["help", "keys"]),
      atelier(["keys", "-h"]),
      atelier(["help", "keys", "--json"]),
    ]);
    assert.equal(a.out, b.out);
    assert.equal(dataOf<{ name: string }[]>(json)[0]?.name, "keys");
  });

  test("no help page loads the server or makes a data folder", async () => {
    await atelier(["serve", "--help"], { folder: folder.path });
    assert.equal(existsSync(join(folder.path, ".atelier")), false);
  });
});

describe("version", () => {
  test("--version prints the version alone; --json as one object", async () => {
    for (const flag of ["--version", "-V", "-v"])
      assert.deepEqual(await atelier([flag]), { code: 0, out: `${version}\n`, err: "" }, flag);
    assert.deepEqual(dataOf(await atelier(["--version", "--json"])), { version });
  });
});

describe("usage errors", () => {
  test("an unknown command is exit code 2, names the nearest, and leaves standard output empty", async () => {
    const { code, out, err } = await atelier(["srve"]);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, /Unknown command "srve"\. Did you mean "serve"\?/);
    assert.match((await atelier(["help", "bakup"])).err, /Did you mean "backup"/);
  });

  test("an unknown flag is exit code 2 with a suggestion, before anything is opened", async () => {
    const { code, out, err } = await atelier(["serve", "--prot=1"], { folder: folder.path });
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, /Unknown flag --prot\. Did you mean "--port"\?/);
    assert.equal(existsSync(join(folder.path, ".atelier")), false);
  });

  test("a wrong verb, a missing word, a wrong scope and a wrong setting are refused before anything is opened", async () => {
    const wrong: [string[], RegExp][] = [
      [["keys", "creat", "x"], /Did you mean "create"/],
      [["keys", "create"], /Missing: <name>/],
      [["keys", "create", "x", "--scopes", "moon"], /Unknown scope moon/],
      [["restore"], /Missing: <folder>/],
      [["config", "--port", "many"], /must be a whole number/],
    ];
    for (const [words, expected] of wrong) {
      const { code, err } = await atelier(words, { folder: folder.path });
      assert.equal(code, 2, words.join(" "));
      assert.match(err, expected);
    }
    assert.equal(existsSync(join(folder.path, ".atelier")), false);
  });

  test("a new ring in a file is closed to others, can be used at once, and never replaces one", async () => {
    const file = join(folder.path, "ring.json");
    const make = () => atelier(["secrets", "new", "--out", file], { folder: folder.path });
    const made = await make();
    assert.equal(made.code, 0, made.err);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const text = readFileSync(file, "utf8");
    assert.ok(!`${made.out}${made.err}`.includes(JSON.parse(text).keys[0].secret));
    const env = { ATELIER_SECRETS_FILE: file, ATELIER_HOME: join(folder.path, "ring-home") };
    const listed = await atelier(["secrets", "list"], { env });
    assert.equal(listed.code, 0, listed.err);
    const again = await make();
    assert.deepEqual([again.code, readFileSync(file, "utf8")], [2, text]);
    assert.match(again.err, /ring\.json already exists and may be in use\. Nothing was changed/);
  });

  test("commands of the operator in an unused folder say so, and leave nothing behind", async () => {
    const each = [
      ["keys", "list"],
      ["workspace", "ls"],
      ["credits", "show"],
      ["backup"],
      ["operators", "list"],
      ["open"],
    ];
    for (const words of each) {
      const { code, err } = await atelier([...words, "--port", "0"], { folder: folder.path });
      assert.equal(code, 2, err);
      assert.match(err, /No server was ever started in .*\.atelier\. Start one there with `atelier serve`/);
    }
    assert.equal(existsSync(join(folder.path, ".atelier")), false);
  });

  test("doctor on an unused folder says so, and leaves nothing behind", async () => {
    const { code, out } = await atelier(["doctor", "--port", "0"], { folder: folder.path });
    assert.equal(code, 0, out);
    assert.match(out, /^! database +no server was ever started in .*\n +→ start one: atelier serve/m);
    assert.equal(existsSync(join(folder.path, ".atelier")), false);
  });

  test("with --json a failure is one object on standard output and nothing else", async () => {
    const ran = await atelier(["--json", "keys", "creat"]);
    assert.equal(ran.code, 2);
    assert.equal(ran.err, "");
    const { ok, error } = objectOf(ran);
    assert.equal(ok, false);
    assert.deepEqual(Object.keys(error ?? {}), ["code", "message", "hint"]);
  });

  test("a broken atelier.config.json is named, exit code 2", async () => {
    const own = join(folder.path, "broken");
    mkdirSync(own);
    writeFileSync(join(own, "atelier.config.json"), "{ port: 1 }");
    const { code, err } = await atelier(["config"], { folder: own });
    assert.equal(code, 2);
    assert.match(err, /Cannot read atelier\.config\.json/);
  });
});

describe("config", () => {
  test("programs get three columns between tabs; the flag wins over the environment over the file", async () => {
    const own = join(folder.path, "config");
    mkdirSync(own);
    writeFileSync(join(own, "atelier.config.json"), JSON.stringify({ port: 1, logLevel: "warn", host: "127.0.0.2" }));
    const { code, out } = await atelier(["config", "--port", "3"], {
      folder: own,
      env: { ATELIER_PORT: "2", ATELIER_LOG_LEVEL: "error" },
    });
    assert.equal(code, 0);
    const rows = new Map(
      out
        .trimEnd()
        .split("\n")
        .map((line) => [line.split("\t")[0], line.split("\t").slice(1)]),
    );
    assert.deepEqual(rows.get("ATELIER_PORT"), ["3", "flag"]);
    assert.deepEqual(rows.get("ATELIER_LOG_LEVEL"), ["error", "environment"]);
    assert.deepEqual(rows.get("ATELIER_HOST"), ["127.0.0.2", "file"]);
    assert.deepEqual(rows.get("ATELIER_HOME"), ["./.atelier", "default"]);
  });

  test("secrets are shown as ***, with --json too", async () => {
    const secret = "a-secret-that-nobody-may-see-1234";
    const env = { ATELIER_ADMIN_TOKEN: secret, DATABASE_URL: `postgres://user:${secret}@127.0.0.1/x` };
    for (const words of [["config"], ["config", "--json"]]) {
      const { code, out, err } = await atelier(words, { env });
      assert.equal(code, 0);
      assert.ok(out.includes("***"));
      assert.ok(!`${out}${err}`.includes(secret));
    }
  });

  test("a reader who closes the pipe early breaks nothing", async () => {
    const line = '"$0" "$1" config --json | head -c 10';
    const child = spawn("/bin/sh", ["-c", line, process.execPath, bin], {
      cwd: tmpdir(),
      stdio: ["ignore", "pipe", "pipe"],
      env: ownEnvironment,
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.stdout.resume();
    await once(child, "close");
    assert.equal(err, "");
  });
});

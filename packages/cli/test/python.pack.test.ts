// The Python client as its users get it: the wheel that a server hands out, installed into an empty environment, against that
// server with its sandbox. pip fetches httpx once into node_modules/.cache; what a machine lacks is said, and those tests are
// skipped.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pythonPackageOf } from "../../../scripts/python-package.mjs";
import { programMsMax } from "../../server/test/support/limits.ts";
import { type ServerProcess, startServerProcess } from "../../server/test/support/server-process.ts";
import { checkout, ownEnvironment, temporaryFolder } from "./support/command-line.ts";
import { blocksOf } from "./support/document-blocks.ts";
import { readPage } from "./support/reader-session.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const environment = join(folder.path, "venv");
const python = join(environment, "bin/python");
const sources = join(checkout, "packages/python");
const made = pythonPackageOf(checkout);
after(() => folder.remove());

function run(program: string, ...words: string[]): string | null {
  const { status, stderr, error } = spawnSync(program, words, { encoding: "utf8", timeout: programMsMax });
  return status === 0 ? null : (stderr || String(error)).trim().split("\n").slice(-3).join(" ");
}

// Why the installed client cannot be tried here; null if it can.
function prepared(): string | null {
  const old = run("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))");
  if (old !== null) return `this machine has no python3 from version 3.9 on: ${old}`;
  const wheels = join(checkout, "node_modules/.cache/python-wheels");
  mkdirSync(wheels, { recursive: true });
  const bare = run("python3", "-m", "venv", environment);
  if (bare !== null) return `python3 cannot make environments here (Debian: python3-venv): ${bare}`;
  const offline = ["-m", "pip", "install", "--quiet", "--no-index", "--find-links", wheels, "httpx"];
  if (run(python, ...offline) === null) return null;
  const fetched = run(python, "-m", "pip", "download", "--quiet", "--dest", wheels, "httpx>=0.27,<1");
  if (fetched !== null) return `pip cannot get httpx: ${fetched}`;
  return run(python, ...offline);
}

describe("the package", () => {
  test("has the server's version, is built to the same bytes each time, and records each file's hash", () => {
    const { version } = JSON.parse(readFileSync(join(checkout, "packages/server/package.json"), "utf8"));
    assert.equal(made.version, version);
    const again = pythonPackageOf(checkout);
    assert.ok(made.wheel.bytes.equals(again.wheel.bytes) && made.sdist.bytes.equals(again.sdist.bytes));
    for (const page of ["docs/PYTHON.md", "packages/python/README.md"])
      assert.ok(readFileSync(join(checkout, page), "utf8").includes(`/packages/${made.wheel.file}`), page);
  });

  test("its hand-written files are as short as all others, and the page names every member of the client", () => {
    const files = globSync("{src/**,tests}/*.py", { cwd: sources }).filter((file) => !file.endsWith("wire.py"));
    for (const file of files) {
      const lines = readFileSync(join(sources, file), "utf8").split("\n").length;
      assert.ok(lines <= 400, `${file} has ${lines} lines`);
    }
    const client = readFileSync(join(sources, "src/atelier_sdk/_async/client.py"), "utf8");
    const page = readFileSync(join(checkout, "docs/PYTHON.md"), "utf8");
    const members = [...client.matchAll(/^ {8}self\.([a-z]\w+) =/gm)].map(([, name]) => name);
    assert.ok(members.length > 10);
    for (const member of members) assert.match(page, new RegExp(`\\b${member}\\b`));
  });
});

const missing = prepared();
describe("installed", { skip: missing ?? false }, () => {
  let server: ServerProcess;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    server = await startServerProcess({ home, env: { ATELIER_SANDBOX: "auto" } });
    const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
    env = { ...ownEnvironment, ATELIER_URL: server.baseUrl, ATELIER_API_KEY: key };
  });
  after(() => server.kill("SIGTERM"));

  async function tests(...names: string[]): Promise<void> {
    const words = ["-m", "unittest", ...names.map((name) => `tests.${name}`)];
    const child = spawn(python, words, { cwd: sources, env: { ...env, PYTHONDONTWRITEBYTECODE: "1" } });
    const giveUp = setTimeout(() => child.kill("SIGKILL"), programMsMax);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (said += piece.toString()));
    const [code] = await once(child, "close");
    clearTimeout(giveUp);
    assert.equal(code, 0, said.slice(-6000));
    assert.match(said, /Ran \d\d tests/);
    assert.doesNotMatch(said, /skipped/);
  }

  test("the server hands out the very wheel, and the line of the page installs it", async () => {
    const answer = await fetch(`${server.baseUrl}/packages/${made.wheel.file}`);
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "application/zip"]);
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(made.wheel.bytes));
    const wrong = await fetch(`${server.baseUrl}/packages/other.whl`);
    assert.equal(wrong.status, 404);
    assert.ok((await wrong.text()).includes(made.wheel.file), "the refusal lists the names");
    const line = /^pip install (\$ATELIER_URL\S+)$/m.exec(readFileSync(join(checkout, "docs/PYTHON.md"), "utf8"));
    const address = (line?.[1] ?? "").replace("$ATELIER_URL", server.baseUrl);
    execFileSync(python, ["-m", "pip", "install", "--quiet", address], { timeout: programMsMax, stdio: "pipe" });
    assert.equal(run(python, "-m", "pip", "check"), null);
  });

  test("its rules hold against a server that misbehaves", () => tests("test_rules"));

  test("all of it works against a real server, with and without asyncio", () => tests("test_server"));

  test("the code of its README runs", () => {
    const [, code = ""] = /```python\n([\s\S]*?)```/.exec(readFileSync(join(sources, "README.md"), "utf8")) ?? [];
    const file = join(folder.path, "readme.py");
    writeFileSync(file, code);
    const said = execFileSync(python, [file], { cwd: folder.path, env, encoding: "utf8", timeout: programMsMax });
    assert.match(said, /output[\s\S]*width/);
    assert.ok(existsSync(join(folder.path, "blue_00001_.png")));
  });

  test("docs/PYTHON.md runs as pasted", async () => {
    const { out, problems } = await readPage(blocksOf("docs/PYTHON.md"), {
      folder: join(folder.path, "page"),
      home,
      ports: {},
      env: {
        ATELIER_PORT: new URL(server.baseUrl).port,
        PATH: [join(environment, "bin"), process.env["PATH"] ?? ""].join(delimiter),
      },
    });
    assert.deepEqual(problems, [], out.slice(-3000));
    for (const word of [/sandbox\/image-1/, /blue_00001_\.png \d+/, /COMPLETED/, /succeeded/, /missing/, /width/])
      assert.match(out, word);
  });
});

// The data folder remembers where its server is: one server, started as a person starts it, on a port that only the
// folder knows. Also: the port is taken, or the server is gone and its port belongs to another process.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../server/test/support/free-port.ts";
import { type ServerProcess, startServerProcess } from "../../server/test/support/server-process.ts";
import { atelier, checkout, dataOf, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const home = join(folder.path, ".atelier");
const noteFile = join(home, "server.json");
// A foreign server that keeps everything it is sent.
const heard: string[] = [];
let stranger: Server;
let strangerPort = 0;
let server: ServerProcess;

before(async () => {
  stranger = createServer((request, answer) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    answer.statusCode = request.url?.startsWith("/health") ? 200 : 401;
    answer.setHeader("x-service-request-id", "00000000-0000-4000-8000-000000000000").end('{"status":"ok"}');
  }).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const address = stranger.address();
  strangerPort = typeof address === "object" && address !== null ? address.port : 0;
  // Only ATELIER_PORT is set, and the port above it is taken: the content origin finds another port.
  server = await startServerProcess({ home, env: { ATELIER_PORT: String(await portBelowTaken()) } });
});
after(async () => {
  await server.kill("SIGTERM");
  above?.close();
  stranger.close();
  folder.remove();
});

let above: Server | undefined;
async function portBelowTaken(): Promise<number> {
  for (;;) {
    const port = await freePort();
    above = createServer().listen(port + 1, "127.0.0.1");
    const isTaken = await once(above, "listening").then(
      () => true,
      () => false,
    );
    if (isTaken) return port;
  }
}

// In the folder where the server was started, without further settings.
const here = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  atelier(words, { folder: folder.path, env });

describe("a server on any port", () => {
  test("is found by commands in its folder without naming port or key", async () => {
    const who = await here(["whoami", "--json"]);
    assert.equal(who.code, 0, who.out + who.err);
    assert.equal(dataOf<{ base_url: string }>(who).base_url, server.baseUrl);
    assert.equal(statSync(noteFile).mode & 0o777, 0o600);
    const link = await here(["keys", "link"]);
    assert.ok(link.out.startsWith(`${server.baseUrl}/sign-in/`), link.out + link.err);
    const doctor = await here(["doctor"]);
    assert.match(doctor.out, /^✓ server +this data folder's server is running at .* and is ready$/m, doctor.err);
  });

  test("proves that it is the folder's to anyone who sends a challenge", async () => {
    const ask = async (query: string) => Object(await (await fetch(`${server.baseUrl}/health${query}`)).json());
    assert.match((await ask(`?challenge=${"x".repeat(24)}`))["proof"], /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual([await ask(""), await ask("?challenge=short")], [{ status: "ok" }, { status: "ok" }]);
  });

  test("keeps its port: a second start says who has it and how to choose another, and creates nothing", async () => {
    const { port } = new URL(server.baseUrl);
    const again = await here(["serve"], { ATELIER_PORT: port });
    assert.equal(again.code, 2, again.err);
    assert.match(again.err, new RegExp(`Port ${port} at 127\\.0\\.0\\.1 is in use by this data folder's server`));
    const other = join(folder.path, "other");
    const elsewhere = await here(["serve"], { ATELIER_PORT: port, ATELIER_HOME: other });
    assert.match(
      elsewhere.err,
      /in use by an Atelier server of another data folder\. .*Choose another port with ATELIER_PORT=\d+/,
    );
    const taken = await here(["serve"], { ATELIER_PORT: String(strangerPort), ATELIER_HOME: other });
    assert.equal(taken.code, 2, taken.err);
    assert.match(taken.err, /is in use by another program .*Choose another port with ATELIER_PORT=\d+/);
    assert.equal(existsSync(other), false, "no database, no workspace, no key");
  });
});

describe("a server that is gone", () => {
  test("leaves no note when it is stopped; when it was killed, its note sends no key to another program on the port", async () => {
    const note: unknown = JSON.parse(readFileSync(noteFile, "utf8"));
    heard.length = 0;
    // As after a kill -9, with another program on the port since then.
    await server.kill("SIGKILL");
    writeFileSync(noteFile, JSON.stringify({ ...Object(note), url: `http://127.0.0.1:${strangerPort}` }));
    for (const words of [["whoami"], ["models", "list"], ["assets", "ls"]]) {
      const ran = await here(words, { ATELIER_API_KEY: "service-of-mine" });
      assert.equal(ran.code, 11, ran.out + ran.err);
      assert.match(ran.err, /No server is running for the data folder/);
    }
    const said = await here(["whoami", "--base-url", `http://127.0.0.1:${strangerPort}`]);
    assert.equal(said.code, 3, said.err);
    assert.match(said.err, /requires an API key\. It is not the server of .*, so that folder's key was not sent/);
    assert.equal(heard.length, 5, "asked who it is, and once without a key");
    for (const each of heard) assert.doesNotMatch(each, /service-of-mine|x-api-key|authorization/i);
    // Behind a TLS proxy on this machine: the next start writes a new note, with the public address beside its own.
    const env = { ATELIER_BASE_URL: "https://studio.example", ATELIER_SANDBOX: "auto", ATELIER_DRAIN_SECONDS: "1" };
    server = await startServerProcess({ home, env });
    const listed = await here(["models", "list", "--json"]);
    assert.deepEqual([listed.code, dataOf<unknown[]>(listed)], [0, []], "no sandbox where others are served");
    assert.match((await here(["keys", "link"])).out, /^https:\/\/studio\.example\/sign-in\//);
    await server.kill("SIGTERM");
    assert.equal(existsSync(noteFile), false);
    assert.match((await here(["whoami"])).err, /No server is running/);
  });
});

test("a command of the tests sees neither the checkout's data folder nor the caller's home or settings", async () => {
  const program = [process.execPath, "-e", "console.log(JSON.stringify([process.cwd(), process.env]))"] as const;
  const [at, env]: [string, Record<string, string>] = JSON.parse((await atelier([], { program })).out);
  assert.ok(!at.startsWith(checkout), at);
  assert.deepEqual(readdirSync(at), []);
  assert.equal(env["HOME"], at);
  assert.deepEqual(
    Object.keys(env).filter((name) => !["PATH", "HOME", "TMPDIR", "NODE_COMPILE_CACHE"].includes(name)),
    [],
  );
});

test("a test file sees nothing of its caller's environment", async () => {
  const hostile = {
    ATELIER_URL: "https://nobody.invalid",
    ATELIER_API_KEY: "service-hostile",
    ATELIER_HOME: "/nonexistent",
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/x",
    XDG_CONFIG_HOME: "/nonexistent",
    PGHOST: "nobody.invalid",
    NODE_OPTIONS: "--no-warnings",
    ATELIER_TEST_SEED: "7",
  };
  const seed = join(checkout, "scripts/test-seed.mjs");
  const program = [process.execPath, "--import", seed, "-e", "console.log(JSON.stringify(process.env))"] as const;
  const left: Record<string, string> = JSON.parse((await atelier([], { program, env: hostile })).out);
  const seen = Object.keys(hostile).filter((name) => name in left);
  assert.deepEqual(seen, ["ATELIER_TEST_SEED"]);
});

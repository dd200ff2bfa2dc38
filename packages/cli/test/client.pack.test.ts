// The client commands against a running server, as a person types them: models, jobs, files, badges, webhooks, nodes.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../server/test/support/free-port.ts";
import { programMsMax } from "../../server/test/support/limits.ts";
import { type ServerProcess, startServerProcess, until } from "../../server/test/support/server-process.ts";
import { atelier, bin, dataOf, objectOf, ownEnvironment, type Ran, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const adminToken = "admin-token-of-the-client-command-tests";
let server: ServerProcess;
let receiverPort = 0;

before(async () => {
  receiverPort = await freePort();
  server = await startServerProcess({
    home,
    env: {
      ATELIER_SANDBOX: "auto",
      ATELIER_ADMIN_TOKEN: adminToken,
      ATELIER_DRAIN_SECONDS: "1",
      ATELIER_WEBHOOK_TARGETS: `127.0.0.1:${receiverPort}`,
    },
  });
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

// A 64 KiB disk that only one command sees.
const small = join(folder.path, "small");
const smallDisk = `mkdir -p ${small} && mount -t tmpfs -o size=64k tmpfs ${small} && "$@"; code=$?; echo "left: $(ls -A ${small} | wc -l)"; exit $code`;
const canMount = spawnSync("unshare", ["-m", "sh", "-c", smallDisk, "sh", "true"]).status === 0;

const env = () => ({ ATELIER_URL: server.baseUrl, ATELIER_HOME: home });
const call = (...words: string[]): Promise<Ran> => atelier(words, { folder: folder.path, env: env() });
const rowsOf = (ran: Ran): string[][] =>
  ran.out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
const file = (name: string, content: unknown): string => {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};
const isPng = (path: string) => readFileSync(path).subarray(1, 4).toString("latin1") === "PNG";
const graph = (color: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "p" } },
});

describe("models", () => {
  test("list, show and schema show what is served; pipes get tabs and no head line", async () => {
    const [list, show, schema, json] = await Promise.all([
      call("models", "list"),
      call("models", "show", "sandbox/image-1"),
      call("models", "schema", "sandbox/image-1"),
      call("models", "list", "--json"),
    ]);
    assert.ok(
      rowsOf(list).some(([id]) => id === "sandbox/image-1"),
      list.out + list.err,
    );
    assert.match(show.out, /^model +sandbox\/image-1$/m);
    assert.deepEqual(rowsOf(schema)[0]?.slice(0, 3), ["prompt", "string", "yes"]);
    assert.equal(objectOf(json)["command"], "models");
    assert.equal(dataOf<unknown[]>(json).length, rowsOf(list).length);
  });

  test("run saves the picture that the answer points to, and keeps integers beyond 2^53", async () => {
    const fox = join(folder.path, "fox.png");
    const run = await call(
      "models",
      "run",
      "sandbox/image-1",
      "-i",
      "prompt=a fox",
      "-i",
      "width=64",
      "-i",
      "height=64",
      "-o",
      fox,
    );
    assert.equal(run.code, 0, run.err);
    assert.equal(run.out, `${fox}\n`);
    assert.ok(isPng(fox));
    const seed = "18446744073709551615";
    const text = await call("models", "run", "sandbox/open-1", "-i", `seed=${seed}`, "--json");
    assert.equal(text.code, 0, text.out);
    assert.ok(text.out.includes(seed), text.out);
  });

  test("a rejected input names every field, says that nothing was charged, and exits 5", async () => {
    const run = await call("models", "run", "sandbox/image-1", "-i", "width=7", "-i", "promt=a fox");
    assert.match(run.err, /^! sandbox\/image-1 documents no field "promt"\. Did you mean "prompt"\?$/m);
    assert.equal(run.code, 5);
    assert.equal(run.out, "");
    assert.match(run.err, /Nothing was charged\.\n {4}prompt +missing .*\n {4}width /);
    assert.match(run.err, /request [0-9a-f-]{36}/);
    const refused = await call("models", "run", "sandbox/image-1", "-i", "prompt=x", "-i", "simulate=refuse", "--json");
    assert.equal(refused.code, 7, refused.out);
    const unknown = await call("models", "run", "sandbox/nobody", "-i", "prompt=x", "--json");
    assert.equal(unknown.code, 4);
    assert.equal(Object(objectOf(unknown)["error"])["code"], "model_not_found");
  });

  test("types are written in full, and the operator's half still answers", async () => {
    const target = join(folder.path, "models.d.ts");
    const types = await call("models", "types", "sandbox/image-1", "-o", target);
    assert.equal(types.code, 0, types.err);
    assert.match(readFileSync(target, "utf8"), /"sandbox\/image-1": \{/);
    const released = await atelier(["models", "release", "sandbox/video-1", "off"], { env: { ATELIER_HOME: home } });
    assert.equal(released.code, 0, released.err);
    await until("the model is gone", async () => !(await call("models", "list")).out.includes("sandbox/video-1"));
  });
});

describe("node classes", () => {
  test("ls finds by words, show lists a class's inputs, and a misspelt one gets a suggestion", async () => {
    const [found, shown, exact, wrong] = await Promise.all([
      call("classes", "ls", "scale", "image", "--limit", "3"),
      call("classes", "show", "ImageScale"),
      call("classes", "show", "AtelierModelImage", "--json"),
      call("classes", "show", "ImageScael"),
    ]);
    assert.deepEqual([rowsOf(found)[0]?.[0], rowsOf(found).length], ["ImageScale", 3], found.err);
    assert.match(shown.out, /^upscale_method +COMBO +yes +– +nearest-exact, bilinear/m);
    assert.match(shown.out, /^image +IMAGE +yes +– +a link/m);
    assert.ok(exact.out.includes('"max":18446744073709551615'), exact.err);
    assert.deepEqual([wrong.code, /Did you mean "ImageScale"\?/.test(wrong.err)], [4, true], wrong.err);
    const info = await call("classes", "ls", "--object-info", "--category", "image/upscaling");
    assert.ok(Object.keys(JSON.parse(info.out)).includes("ImageScale"));
  });
});

describe("workflows", () => {
  test("save makes versions, ls finds them, diff says what changed, restore brings one back", async () => {
    const name = "posters/Blue";
    const first = await call("workflows", "save", file("blue.json", graph(255)), "--name", name, "--note", "first");
    assert.match(first.out, /Saved posters\/Blue as version 1/, first.err);
    await call("workflows", "save", file("green.json", graph(65280)), "--name", name);
    const same = await call("workflows", "save", file("green.json", graph(65280)), "--name", name);
    assert.match(same.out, /unchanged: version 2/);
    assert.deepEqual(rowsOf(await call("workflows", "ls", "blue"))[0]?.slice(0, 3), [name, "v2", "2"]);
    const diff = await call("workflows", "diff", name);
    assert.match(diff.out, /EmptyImage \(1\): color changed from 255 to 65280\./);
    assert.match((await call("workflows", "restore", name, "1")).out, /version 3 now/);
    const text = await call("workflows", "get", name, "--version", "1");
    assert.equal(text.out.trimEnd(), JSON.stringify(graph(255)));
    assert.match((await call("workflows", "show", name)).out, /v3 .*restored from v1\n.*v2 .*\n.*v1 .*first/);
    const missing = await call("workflows", "show", "posters/Red");
    assert.match(missing.err, /no saved workflow called “posters\/Red”/);
  });
});

describe("jobs and assets", () => {
  test("a job is found, shown, watched and saved; canceling an ended one exits 5", async () => {
    const made = await call("run", file("a.json", graph(255)), "--no-wait", "--label", "mine");
    assert.equal(made.code, 0, made.err);
    const id = made.out.trim();
    const out = join(folder.path, "watched");
    const watched = await call("jobs", "watch", id, "-o", out, "--jsonl");
    assert.equal(watched.code, 0, watched.err);
    const lines = watched.out
      .trim()
      .split("\n")
      .map((line): { type: string } => JSON.parse(line));
    assert.equal(lines.at(-1)?.type, "result");
    assert.deepEqual(readdirSync(out), ["p_00001_.png"]);
    const [listed, shown, late, nobody] = await Promise.all([
      call("jobs", "ls", "--label", "mine"),
      call("jobs", "show", id, "--workflow"),
      call("jobs", "cancel", id),
      call("jobs", "show", "00000000-0000-7000-8000-000000000000"),
    ]);
    assert.deepEqual(
      rowsOf(listed).map((row) => row.slice(0, 3)),
      [[id, "succeeded", "100%"]],
    );
    assert.deepEqual(JSON.parse(shown.out), graph(255));
    assert.equal(late.code, 5, late.err);
    assert.equal(nobody.code, 4);
    assert.match(nobody.err, /request /);
    const again = await call("jobs", "retry", id, "-o", out);
    assert.equal(again.code, 0, again.err);
    assert.deepEqual(readdirSync(out).sort(), ["p_00001_.png", "p_00002_.png"]);
    assert.equal(rowsOf(await call("jobs", "ls", "--label", "mine")).length, 2, "under the same label");
  });

  test("many jobs are canceled only with --yes where nobody can be asked", async () => {
    const parameters = JSON.stringify({ simulate_seconds: 600 });
    const slow = {
      "1": {
        class_type: "AtelierModelImage",
        inputs: { model: "sandbox/image-1", prompt: "x", width: 64, height: 64, seed: 1, parameters },
      },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "slow" } },
    };
    const made = await call("run", file("slow.json", slow), "--no-wait", "--label", "slow");
    assert.equal(made.code, 0, made.err);
    const ask = await call("jobs", "cancel", "--label", "slow");
    assert.equal(ask.code, 2, ask.err);
    assert.match(ask.err, /confirm with --yes/);
    const canceled = await call("jobs", "cancel", "--label", "slow", "--yes");
    assert.equal(canceled.code, 0, canceled.err);
    assert.match(rowsOf(canceled)[0]?.[1] ?? "", /^cancel(ed|ing)$/);
    assert.equal((await call("jobs", "cancel")).code, 2, "never all of them by accident");
  });

  test("put stores once, get returns the bytes, url works without a key, rm asks", async () => {
    const note = file("note.txt", "what I wrote");
    const first = await call("assets", "put", note);
    assert.equal(first.code, 0, first.err);
    const [[id = "", hash = "", , , news] = []] = rowsOf(first);
    assert.equal(news, "uploaded");
    assert.match(hash, /^blake3:[0-9a-f]{64}$/);
    const [again, got, url, listed, refused] = await Promise.all([
      call("assets", "put", note),
      call("assets", "get", id, "-o", join(folder.path, "got.txt")),
      call("assets", "url", id),
      call("assets", "ls", "--limit", "5"),
      call("assets", "rm", id),
    ]);
    assert.deepEqual([rowsOf(again)[0]?.[0], rowsOf(again)[0]?.[4]], [id, "already stored"]);
    assert.equal(readFileSync(join(folder.path, "got.txt"), "utf8"), "what I wrote", got.err);
    assert.equal(await (await fetch(url.out.trim())).text(), "what I wrote");
    assert.ok(rowsOf(listed).some(([each]) => each === id));
    assert.equal(refused.code, 2);
    assert.equal((await call("assets", "rm", id, "--yes")).code, 0);
    assert.equal((await call("assets", "get", id)).code, 4);
  });

  test("unreadable and unwritable files are reported before anything is sent", async () => {
    const target = file("no-folder", "x");
    const [run, put, get] = await Promise.all([
      call("run", file("b.json", graph(2)), "-o", target),
      call("assets", "put", "absent.bin", target),
      call("assets", "get", "00000000-0000-7000-8000-000000000000", "-o", "no/such/folder/x"),
    ]);
    assert.equal(run.code, 2, run.err);
    assert.match(run.err, /is not a folder/);
    assert.equal(put.code, 2, put.err);
    assert.ok(get.code === 4 || get.code === 2, get.err);
    assert.equal(existsSync(join(folder.path, "no")), false);
    const below = await call("run", file("b.json", graph(2)), "-o", join(target, "below"));
    assert.deepEqual([below.code, /is not a folder/.test(below.err)], [2, true], below.err);
  });

  test("a weight goes up for an operator only, and nobody else uploads a byte of it", async () => {
    const weight = file("w.safetensors", "weights");
    const push = (more: NodeJS.ProcessEnv) =>
      atelier(["weights", "push", weight, "--as", "loras/w.safetensors"], {
        folder: folder.path,
        env: { ...env(), ...more },
      });
    const asset = await call("assets", "put", weight);
    assert.equal((await call("assets", "rm", rowsOf(asset)[0]?.[0] ?? "", "--yes")).code, 0);
    const before = (await call("assets", "ls", "--limit", "100")).out;
    const refused = await push({});
    assert.match(refused.err, /requires an operator token/);
    assert.equal((await call("assets", "ls", "--limit", "100")).out, before);
    const wrongKey = await push({ ATELIER_ADMIN_TOKEN: adminToken, ATELIER_API_KEY: "service-wrong" });
    assert.match(wrongKey.err, /rejected this API key/);
    const kept = await push({ ATELIER_ADMIN_TOKEN: adminToken });
    assert.match(kept.out, /loras\/w\.safetensors/, kept.err);
  });

  test("a full disk is reported, exits 2 and leaves nothing half-written", { skip: !canMount }, async () => {
    const words = ["models", "run", "sandbox/image-1", "-i", "prompt=a forest", "-o", join(small, "forest.png")];
    const full = await atelier(words, {
      program: ["unshare", "-m", "sh", "-c", smallDisk, "sh", process.execPath, bin],
      folder: folder.path,
      env: env(),
    });
    assert.equal(full.code, 2, full.out + full.err);
    assert.match(full.err, /^✕ The disk is full\./m);
    // Printed by the shell after the command.
    assert.match(full.out, /^left: 0$/m);
  });
});

describe("who calls, and what was called", () => {
  const key = () => /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
  const elsewhere = () => ({ cwd: folder.path, encoding: "utf8", timeout: programMsMax, env: userEnv() }) as const;
  const userEnv = () => ({ ...ownEnvironment, XDG_CONFIG_HOME: join(folder.path, "config") });

  test("login keeps a working key for later calls; an unknown one is not kept; logout forgets", () => {
    const login = (input: string) =>
      spawnSync(process.execPath, [bin, "login", server.baseUrl], { ...elsewhere(), input });
    const wrong = login("service-nobody-knows-this\n");
    assert.deepEqual([wrong.status, existsSync(join(folder.path, "config"))], [3, false], wrong.stderr);
    const right = login(`${key()}\n`);
    assert.equal(right.status, 0, right.stderr);
    assert.ok(!`${right.stdout}${right.stderr}`.includes(key()));
    const who = spawnSync(process.execPath, [bin, "whoami"], elsewhere());
    assert.match(who.stdout, /^Default workspace at http:\/\/127\.0\.0\.1:\d+, as owner$/m, who.stderr);
    assert.equal(spawnSync(process.execPath, [bin, "logout"], elsewhere()).status, 0);
    assert.notEqual(spawnSync(process.execPath, [bin, "whoami"], elsewhere()).status, 0);
  });

  test("requests are listed, followed live, and found by the id from an answer", async () => {
    const words = ["requests", "tail", "--count", "1", "--jsonl", "--model", "sandbox/text-1"];
    const tail = spawn(process.execPath, [bin, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...userEnv(), ...env() },
    });
    const printed = { out: "", err: "" };
    tail.stdout.on("data", (chunk: Buffer) => {
      printed.out += chunk.toString();
    });
    tail.stderr.on("data", (chunk: Buffer) => {
      printed.err += chunk.toString();
    });
    const closed = once(tail, "close");
    const giveUp = setTimeout(() => tail.kill("SIGKILL"), programMsMax);
    try {
      await until("it watches", () => printed.err.includes("watching"));
      const run = await call("models", "run", "sandbox/text-1", "-i", "prompt=x", "--json");
      const { request_id: id } = dataOf<{ request_id: string }>(run);
      await closed;
      const [first] = printed.out.split("\n").map((line): { request_id?: string } => JSON.parse(line || "{}"));
      assert.equal(first?.request_id, id, printed.out + printed.err);
      const [shown, absent, listed] = await Promise.all([
        call("requests", "show", id),
        call("requests", "show", "00000000-0000-4000-8000-000000000000"),
        call("requests", "ls", "--model", "sandbox/text-1", "--since", "1h"),
      ]);
      assert.match(shown.out, /^outcome +✓ succeeded \(200\)$/m, shown.err);
      assert.equal(absent.code, 4, absent.err);
      assert.deepEqual(rowsOf(listed)[0]?.slice(0, 3), [id, "model:sandbox/text-1", "succeeded"]);
    } finally {
      clearTimeout(giveUp);
      tail.kill("SIGTERM");
    }
  });
});

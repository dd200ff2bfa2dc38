// `atelier run` against a running server, as a person types it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type ServerProcess, startServerProcess, until } from "../../server/test/support/server-process.ts";
import { atelier, bin, checkout, dataOf, objectOf, temporaryFolder } from "./support/command-line.ts";
import { hasTmux, openScreen, type TerminalScreen } from "./support/tmux-screen.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const folder = temporaryFolder();
const home = join(folder.path, "home");
let server: Pick<ServerProcess, "baseUrl">;
let screen: TerminalScreen | null = null;
let ended = async () => {};

// As a new user starts it: in a terminal, where the first key is printed, and kept for the commands in the second
// terminal.
before(async () => {
  if (!hasTmux) {
    const started = await startServerProcess({ home, env: { ATELIER_SANDBOX: "auto", ATELIER_DRAIN_SECONDS: "1" } });
    server = started;
    ended = async () => void (await started.kill("SIGTERM"));
    return;
  }
  const env = { ATELIER_HOME: home, ATELIER_PORT: "0", ATELIER_DRAIN_SECONDS: "1", LANG: "C.UTF-8" };
  const terminal = openScreen([process.execPath, bin, "serve"], env);
  screen = terminal;
  const baseUrl = await until("ready", () => /^ready (\S+)/m.exec(terminal.text())?.[1] ?? null);
  // The key and the link are printed last. The line that says ready has a link too.
  await until("key and link are printed", () => /^API key: +\S+[\s\S]*\/sign-in\/\S+/m.test(terminal.text()));
  server = { baseUrl };
  ended = async () => {
    terminal.press("C-c");
    await until("it stopped", () => terminal.text().includes("EXIT 0"));
    terminal.close();
  };
});
after(async () => {
  await ended();
  folder.remove();
});

test("the first start in a terminal prints the key, and keeps it where only its owner can read it", {
  skip: !hasTmux,
}, () => {
  const key = /^API key: +(service-\S+)$/m.exec(screen?.text() ?? "")?.[1];
  assert.ok(key !== undefined, screen?.text() ?? "no screen");
  const kept = join(home, "first-key.txt");
  assert.ok(readFileSync(kept, "utf8").includes(key));
  assert.equal(statSync(kept).mode & 0o777, 0o600);
});

test("the first start prints key and link last, after one line about all migrations", { skip: !hasTmux }, () => {
  const text = screen?.text() ?? "";
  const [beforeReady = "", afterReady = ""] = text.split(/^ready .*$/m);
  assert.equal(text.match(/migrations? applied/g)?.length, 1, text);
  assert.ok(!/API key:|\/sign-in\//.test(beforeReady), text);
  assert.match(afterReady, /^This is the first start\.[\s\S]*^API key: +service-\S+$[\s\S]*\/sign-in\/\S+/m, text);
});

// The folder that holds the examples stands in for the checkout: the developer's own address and key must not be used.
test("the curl examples run from any folder, with the first key of their checkout", {
  skip: !hasCurl,
}, async () => {
  const installFolder = join(folder.path, "a clone");
  cpSync(join(checkout, "examples"), join(installFolder, "examples"), { recursive: true });
  mkdirSync(join(installFolder, ".atelier"));
  copyFileSync(join(home, "first-key.txt"), join(installFolder, ".atelier", "first-key.txt"));
  const elsewhere = join(folder.path, "elsewhere");
  mkdirSync(elsewhere);
  for (const name of ["run-a-model.sh", "run-a-workflow.sh"]) {
    const program = ["sh", join(installFolder, "examples/curl", name)] as const;
    const ran = await atelier([], { program, folder: elsewhere, env: { ATELIER_URL: server.baseUrl } });
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.match(ran.out, /^saved /m, name);
  }
  const made = readdirSync(elsewhere);
  assert.ok(made.includes("picture.png") && made.length >= 2, made.join(" "));
});

// The relay is not the folder's server, so the key is passed by hand.
const ownKey = () => /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
const file = (name: string, graph: unknown): string => {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify(graph));
  return path;
};
const run = (words: readonly string[]) =>
  atelier(["run", ...words, "--base-url", server.baseUrl, "--home", home], { folder: folder.path });
const graph = (prefix: string) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: prefix }, _meta: { title: "Out" } },
});

test("run saves the job's outputs, under a free name, and prints plain lines outside a terminal", async () => {
  const workflow = file("a.json", graph("a"));
  const out = join(folder.path, "out");
  const first = await run([workflow, "-o", out]);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^✓ succeeded/);
  assert.ok(!first.err.includes("\u001b["), "no cursor movements in a pipe");
  const second = await run([workflow, "-o", out, "--json"]);
  assert.equal(second.code, 0, second.out);
  assert.equal(dataOf<{ job: { status: string } }>(second).job.status, "succeeded");
  assert.deepEqual(readdirSync(out).sort(), ["a_00001_.png", "a_00002_.png"]);
});

test("an output's url needs the key; the url of its asset, found by the output's own link, works without", async () => {
  const headers = { authorization: `Bearer ${ownKey()}` };
  const ran = await run([file("u.json", graph("u")), "-o", join(folder.path, "u"), "--json"]);
  const { job } = dataOf<{ job: { outputs: { url: string; urls: { self: string } }[] } }>(ran);
  const [output = assert.fail(ran.out)] = job.outputs;
  assert.equal((await fetch(output.url, { redirect: "manual" })).status, 401);
  assert.equal((await fetch(output.url, { headers })).status, 200);
  const read = await fetch(`${server.baseUrl}${output.urls.self}`, { headers });
  const asset: { readonly url: string; readonly url_expires_at: string } = JSON.parse(await read.text());
  assert.notEqual(asset.url, output.url);
  assert.equal((await fetch(asset.url)).status, 200, "signed");
  assert.ok(Date.parse(asset.url_expires_at) > Date.now());
});

test("--dry-run prints the cost of each node and neither submits nor uploads; the charge lies within; --max-credits refuses", async () => {
  const priced = [join(checkout, "examples/first-picture.json"), "-i", "Picture.model=sandbox/image-1-queued"];
  const photo = join(checkout, "examples/gallery/pictures/duotone.png");
  const loads = file("loads.json", {
    "1": { class_type: "LoadImage", inputs: { image: "" } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "loaded" } },
  });
  interface Dry {
    readonly credits: { readonly lowest: string; readonly highest: string };
    readonly nodes: readonly { readonly node_id: string; readonly title?: string }[];
    readonly balance: { readonly available: string; readonly held: string };
  }
  const call = (words: readonly string[]) =>
    atelier([...words, "--base-url", server.baseUrl, "--home", home], { folder: folder.path });
  const known = async () => [(await call(["jobs", "ls"])).out, (await call(["assets", "ls"])).out];
  const before = await known();
  const dry = await run([...priced, "--dry-run"]);
  assert.equal(dry.code, 0, dry.err);
  assert.match(dry.out, /^Picture \(1\)\tAtelierModelImage\t0 to [\d.]+\t/);
  const { credits, nodes, balance } = dataOf<Dry>(await run([...priced, "--dry-run", "--json"]));
  assert.deepEqual([nodes.length, nodes[0]?.title, balance.held], [1, "Picture", "0"]);
  const unsent = await run([loads, "-i", `1.image=@${photo}`, "--dry-run", "--repeat", "3"]);
  assert.equal(unsent.code, 0, unsent.err);
  assert.match(unsent.out, /^in all\t\t0\t\n3 runs\t\t0\t\n/);
  assert.equal((await run([loads, "-i", "1.image=@nowhere.png", "--dry-run"])).code, 2);
  const refused = await run([...priced, "--max-credits", "0.5"]);
  assert.equal(refused.code, 5, refused.out);
  assert.match(refused.err, /allows 0\.5\. Nothing ran \(price_above_limit, 422\)[\s\S]*--max-credits [\d.]+/);
  assert.equal((await run([...priced, "--max-credits", "much"])).code, 2);
  assert.deepEqual(await known(), before, "no job and no file");
  const ran = await run([...priced, "--max-credits", credits.highest, "-o", join(folder.path, "priced")]);
  assert.equal(ran.code, 0, ran.err);
  const after = dataOf<Dry>(await run([...priced, "--dry-run", "--json"])).balance;
  const charged = Number(balance.available) - Number(after.available);
  const [, printed] = /^ {2}job \S+ {3}([\d.]+) credits$/m.exec(ran.out) ?? [];
  assert.ok(Math.abs(Number(printed) - charged) < 1e-6, ran.out);
  assert.ok(
    charged > 0 && charged >= Number(credits.lowest) && charged <= Number(credits.highest) + 1e-6,
    `${charged}`,
  );
  const model = await call(["models", "run", "sandbox/video-1", "-i", "prompt=waves", "-i", "seconds=2", "--dry-run"]);
  assert.match(model.out, /^in all\t\t10\.55 to 21\.1\t/, model.err);
});

test("-i sets inputs by node id and by title, and uploads a file named with @", async () => {
  const out = join(folder.path, "again");
  const made = await run([
    file("b.json", graph("b")),
    "-i",
    "1.color=65280",
    "-i",
    "Out.filename_prefix=green",
    "-o",
    out,
  ]);
  assert.equal(made.code, 0, made.err);
  const loading = {
    "1": { class_type: "LoadImage", inputs: {} },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "c" } },
  };
  const picture = join(out, "green_00001_.png");
  const loaded = await run([file("c.json", loading), "-i", `1.image=@${picture}`, "-o", out, "--jsonl"]);
  assert.equal(loaded.code, 0, loaded.err);
  assert.match(loaded.err, /1\.image +green_00001_\.png .*(uploaded|already stored)/);
  const lines = loaded.out
    .trim()
    .split("\n")
    .map((line): { type: string } => JSON.parse(line));
  assert.equal(lines.at(-1)?.type, "result");
});

test("a refused graph is reported by node, exits 5 and leaves no file", async () => {
  const out = join(folder.path, "none");
  const wrong = {
    "1": { class_type: "ImageInvert", inputs: {} },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  };
  const refused = await run([file("d.json", wrong), "-o", out]);
  assert.equal(refused.code, 5, refused.err);
  assert.match(refused.err, /node 1 +ImageInvert/);
  assert.match(refused.err, /request [0-9a-f-]{36}/);
  assert.equal(existsSync(out), false);
});

test("a failed job exits 6; a wrong key 3; an unreachable server 11; a missing file 2", async () => {
  const failing = graph("e");
  const regex = {
    "1": { class_type: "RegexReplace", inputs: { string: "a", regex_pattern: "(", replace: "" } },
    "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
  };
  const failed = await run([file("e.json", regex)]);
  assert.ok([5, 6].includes(failed.code ?? 0), failed.err + failed.out);
  const path = file("f.json", failing);
  const stranger = await atelier(["run", path, "--base-url", server.baseUrl, "--key", "service-nobody"], {
    folder: folder.path,
  });
  assert.equal(stranger.code, 3, stranger.err);
  const nobody = await atelier(["run", path, "--base-url", "http://127.0.0.1:1", "--key", "x"], {
    folder: folder.path,
  });
  assert.equal(nobody.code, 11, nobody.err);
  assert.match(nobody.err, /atelier serve/);
  assert.equal((await run(["absent.json"])).code, 2);
});

test("a server that is not Atelier is reported as such, for every kind of response", async () => {
  const answers: [number, string][] = [
    [200, "<html>hello</html>"],
    [200, "{}"],
    [404, "nothing here"],
  ];
  const asked = answers.map(async ([status, body]) => {
    const stranger = createServer((_, answer) => void answer.writeHead(status).end(body)).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const address = stranger.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const ran = await atelier(["run", file("a.json", graph("a")), "--base-url", url, "--key", "x"]);
    stranger.closeAllConnections();
    stranger.close();
    assert.equal(ran.code, 1, ran.err);
    assert.match(ran.err, /^✕ The server at \S+ is not an Atelier server\.\n {2}→ /);
  });
  await Promise.all(asked);
});

test("lines of JSON end with the result, even when nothing could be submitted; one object and lines do not mix", async () => {
  const wrong = file("g.json", { "1": { class_type: "NoSuchClass", inputs: {} } });
  const [refused, both] = await Promise.all([
    run([wrong, "--jsonl"]),
    run([file("a.json", graph("a")), "--json", "--jsonl"]),
  ]);
  assert.equal(refused.code, 5, refused.err);
  const { type, ok, error }: { type: string; ok: boolean; error: { code: string; request_id: string } } = JSON.parse(
    refused.out,
  );
  assert.deepEqual([type, ok, error.code], ["result", false, "invalid_workflow"]);
  assert.match(refused.err, new RegExp(`NoSuchClass[\\s\\S]*request ${error.request_id}`));
  assert.equal(both.code, 2, both.err);
  assert.equal(objectOf(both)["ok"], false);
});

test("run adds little to the job: most of its time is starting and the job itself", async (t) => {
  const workflow = file("quick.json", graph("quick"));
  const timed = async (words: readonly string[]) => {
    const startedMs = performance.now();
    const ran = await atelier(words, { env: { ATELIER_URL: server.baseUrl, ATELIER_HOME: home }, folder: folder.path });
    return { ms: performance.now() - startedMs, ran };
  };
  const alone = await timed(["--version"]);
  const { ms, ran } = await timed(["run", workflow, "-o", join(folder.path, "quick"), "--json"]);
  const { job } = dataOf<{ job: { created_at: string; completed_at: string } }>(ran);
  const jobMs = Date.parse(job.completed_at) - Date.parse(job.created_at);
  t.diagnostic(`run ${Math.round(ms)} ms, the program alone ${Math.round(alone.ms)} ms, the job ${jobMs} ms`);
});

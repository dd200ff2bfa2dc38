// `npm run test:long -- fill [--gigabytes 2]`: three workers that start together fill their folders with made weights from one
// server. One is killed in the middle and started again, and a neighbour lies. At the end all three equal the lock, the server
// sent about as much as one needs, and the liar is named. Then one worker alone, over the network and from the server's files,
// is compared with a plain copy, and a lock of a thousand unchanged weights is timed.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomFillSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { gigabytes: { type: "string", default: "2" } } });
const gigabytes = Number(values.gigabytes);
const weightCount = 4;
const weightBytes = Math.round((gigabytes * 1e9) / weightCount);
const root = mkdtempSync(join(tmpdir(), "atelier-test-fill-"));
const program = join(import.meta.dirname, "..", "packages", "cli", "bin", "atelier.mjs");
const adminToken = `admin-${randomUUID()}`;
const children = new Set<ChildProcess>();
const say = (line: string) => process.stdout.write(`${line}\n`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const nowSeconds = () => performance.now() / 1000;

const { bavail, bsize } = statfsSync(root);
// The application, the store, the parts of one upload and three workers. The one alone and the copy come when those are gone.
const needed = gigabytes * 1e9 * 5.5;
if (bavail * bsize < needed) {
  say(`This needs ${Math.ceil(needed / 1e9)} GB in ${tmpdir()}.`);
  process.exit(2);
}

interface Program {
  readonly child: ChildProcess;
  said(): string;
}

function start(words: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: root, TMPDIR: root, ...env },
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += String(chunk)));
  return { child, said: () => text };
}

async function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const running = start(words, env);
  const [code] = await once(running.child, "close");
  assert.equal(code, 0, `atelier ${words.join(" ")}: ${running.said()}`);
  return running.said();
}

async function until(what: string, seconds: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = nowSeconds() + seconds; !(await isSo()); await pause(100))
    assert.ok(nowSeconds() < end, `${what} did not happen within ${seconds} s`);
}

async function makeFile(path: string, bytes: number): Promise<void> {
  const block = Buffer.alloc(8 * 1024 * 1024);
  const file = await open(path, "w");
  for (let left = bytes; left > 0; left -= block.length)
    await file.write(randomFillSync(block), 0, Math.min(left, block.length));
  await file.close();
}

function application(name: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, "models", "checkpoints"), { recursive: true });
  mkdirSync(join(folder, "custom_nodes"), { recursive: true });
  writeFileSync(join(folder, "comfyui_version.py"), '__version__ = "0.30.0"\n');
  return folder;
}

const lockOptions = ["--without-python", "--application-url", "http://127.0.0.1:9"];

async function serve() {
  const env = {
    ATELIER_HOME: join(root, "server"),
    ATELIER_PORT: "0",
    ATELIER_SANDBOX: "off",
    ATELIER_ADMIN_TOKEN: adminToken,
  };
  const { child, said } = start(["serve"], env);
  await until(
    "the server's start",
    300,
    () => /http:\/\/127\.0\.0\.1:\d+/.test(said()) && existsSync(join(root, "server", "first-key.txt")),
  );
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said())?.[0] ?? "";
  await until("readiness", 300, () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  assert.equal(child.exitCode, null, said());
  const key = /service-\S+/.exec(readFileSync(join(root, "server", "first-key.txt"), "utf8"))?.[0] ?? "";
  const asOperator = { ATELIER_URL: url, ATELIER_API_KEY: key, ATELIER_ADMIN_TOKEN: adminToken };
  return { url, env, asOperator };
}

type Server = Awaited<ReturnType<typeof serve>>;

async function ask(server: Server, path: string, more: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json", ...more.headers };
  const answer = await fetch(`${server.url}${path}`, { ...more, headers });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return path === "/metrics" ? answer.text() : answer.json();
}

async function sentBytes(server: Server): Promise<number> {
  const text = String(await ask(server, "/metrics"));
  return Number(/^atelier_weight_bytes_sent_total (\S+)/m.exec(text)?.[1] ?? 0);
}

// Says that it has everything, and sends zeros.
async function startLiar(server: Server, token: string, hashes: readonly string[]): Promise<void> {
  const pieces = Math.ceil(weightBytes / 1024 ** 2);
  const bits = Math.ceil(pieces / 8);
  const liar = createServer((request, response) => {
    const count = Number(new URL(request.url ?? "", "http://liar").searchParams.get("count"));
    response.end(
      count > 0 ? Buffer.alloc(count * 1024 ** 2) : Buffer.concat([Buffer.alloc(bits, 0xff), Buffer.alloc(bits)]),
    );
  }).listen(0, "127.0.0.1");
  liar.unref();
  await once(liar, "listening");
  const { port } = liar.address() as AddressInfo;
  const share = { url: `http://127.0.0.1:${port}`, key: "0".repeat(48) };
  const body = JSON.stringify({ name: "the liar", state: "filled", bytes_done: 1, bytes_total: 1, share, has: hashes });
  const headers = { authorization: `Bearer ${token}` };
  const path = `/api/workers/${randomUUID()}/fill`;
  const report = () => ask(server, path, { method: "PUT", body, headers });
  await report();
  setInterval(() => void report().catch(() => undefined), 10_000).unref();
}

function startWorker(server: Server, token: string, name: string, lock: string): Program & { readonly folder: string } {
  const folder = existsSync(join(root, name)) ? join(root, name) : application(name);
  const words = ["worker", "--server", server.url, "--env", lock, "--application-folder", folder, "--without-python"];
  const env = { ATELIER_HOME: join(root, `${name}-home`), ATELIER_WORKER_TOKEN: token };
  return {
    folder,
    ...start([...words, "--over-network", "--share", "http://127.0.0.1:0", "--name", name, "--slots", "1"], env),
  };
}

const isFilled = ({ said }: Program) => said().includes("The folder equals the lock");

async function threeTogether(server: Server, token: string, lock: string): Promise<void> {
  const before = await sentBytes(server);
  const began = nowSeconds();
  const names = ["rack-1", "rack-2", "rack-3"];
  const [one, two, victim] = names.map((name) => startWorker(server, token, name, lock));
  assert.ok(one && two && victim);
  interface Fill {
    readonly name: string;
    readonly bytes_done: number;
    readonly accusations: number;
    readonly accused_by: string | null;
  }
  const fills = async () => ((await ask(server, "/admin/fills")) as { data: readonly Fill[] }).data;
  await until("a third of the victim's fill", 1_800, async () => {
    const found = (await fills()).find(({ name }) => name === "rack-3");
    return (found?.bytes_done ?? 0) > (gigabytes * 1e9) / 3;
  });
  victim.child.kill("SIGKILL");
  say(`rack-3 killed after ${(nowSeconds() - began).toFixed(1)} s`);
  await pause(2_000);
  const again = startWorker(server, token, "rack-3", lock);
  for (const worker of [one, two, again])
    await until("a fill", 3_600, () => {
      assert.equal(worker.child.exitCode, null, worker.said());
      return isFilled(worker);
    });
  const took = nowSeconds() - began;
  const sent = (await sentBytes(server)) - before;
  say(
    `three workers filled in ${took.toFixed(1)} s; the server sent ${(sent / (gigabytes * 1e9)).toFixed(2)} times the weights`,
  );
  const liar = (await fills()).find(({ name }) => name === "the liar");
  say(`the liar: ${liar?.accusations} accusations, the last by ${liar?.accused_by}`);
  for (const name of names)
    say(
      `${name}: ${(await run(["env", "check", lock, "--application-folder", join(root, name), ...lockOptions], { ATELIER_HOME: join(root, `${name}-check`) })).trim()}`,
    );
  assert.ok((liar?.accusations ?? 0) >= 1, "the liar is named");
  assert.ok(sent <= 1.2 * gigabytes * 1e9, "the server sends at most 1.2 times the weights");
  for (const worker of [one, two, again]) {
    worker.child.kill("SIGTERM");
    await once(worker.child, "close");
  }
  for (const name of names) rmSync(join(root, name), { recursive: true });
}

async function oneAlone(server: Server, token: string, lock: string, source: string, hashes: number): Promise<void> {
  const copy = join(root, "copy");
  mkdirSync(copy);
  const begin = nowSeconds();
  for (let at = 0; at < hashes; at += 1)
    copyFileSync(join(source, `${at}.safetensors`), join(copy, `${at}.safetensors`));
  execFileSync("sync", ["-f", copy]);
  const copied = nowSeconds() - begin;
  rmSync(copy, { recursive: true });
  const rate = (seconds: number) => `${((gigabytes * 1e3) / seconds).toFixed(0)} MB/s`;
  for (const way of ["--over-network", null]) {
    const folder = application("alone");
    const env = { ATELIER_HOME: join(root, "alone-home"), ATELIER_WORKER_TOKEN: token };
    const words = ["env", "fill", lock, "--server", server.url, "--application-folder", folder, "--without-python"];
    const from = nowSeconds();
    await run([...words, "--name", "alone", ...(way === null ? [] : [way])], env);
    const filled = nowSeconds() - from;
    const how = way === null ? "from the server's files" : "over the network";
    say(
      `one alone, ${how}: ${rate(filled)}; a plain copy: ${rate(copied)}; share ${((100 * copied) / filled).toFixed(0)} %`,
    );
    rmSync(folder, { recursive: true });
    rmSync(env.ATELIER_HOME, { recursive: true });
  }
}

async function thousandUnchanged(): Promise<void> {
  const folder = application("thousand");
  for (let at = 0; at < 1_000; at += 1)
    writeFileSync(join(folder, "models", "checkpoints", `${at}.safetensors`), randomFillSync(Buffer.alloc(4_096)));
  const words = ["env", "lock", "--application-folder", folder, "-o", join(root, "thousand.json"), ...lockOptions];
  const env = { ATELIER_HOME: join(root, "thousand-home") };
  await run(words, env);
  const began = nowSeconds();
  await run(words, env);
  say(`lock of 1,000 unchanged weights: ${(nowSeconds() - began).toFixed(2)} s, the program's start included`);
}

try {
  const source = application("source");
  const models = join(source, "models", "checkpoints");
  for (let at = 0; at < weightCount; at += 1) await makeFile(join(models, `${at}.safetensors`), weightBytes);
  const lock = join(root, "lock.json");
  await run(["env", "lock", "--application-folder", source, "-o", lock, ...lockOptions], {
    ATELIER_HOME: join(root, "source-home"),
  });
  const server = await serve();
  for (let at = 0; at < weightCount; at += 1) {
    const began = nowSeconds();
    await run(
      ["weights", "push", join(models, `${at}.safetensors`), "--as", `checkpoints/${at}.safetensors`],
      server.asOperator,
    );
    say(`pushed ${at}.safetensors in ${(nowSeconds() - began).toFixed(1)} s`);
  }
  const token = (
    (await ask(server, "/admin/worker-tokens", { method: "POST", body: JSON.stringify({ name: "racks" }) })) as {
      secret: string;
    }
  ).secret;
  const locked = JSON.parse(readFileSync(lock, "utf8")) as { weights: { blake3: string }[] };
  await startLiar(
    server,
    token,
    locked.weights.map(({ blake3 }) => blake3),
  );
  await threeTogether(server, token, lock);
  await oneAlone(server, token, lock, models, weightCount);
  await thousandUnchanged();
  say("ok");
} finally {
  for (const child of children) child.kill("SIGTERM");
  await Promise.all([...children].map((child) => once(child, "close")));
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
process.exit();

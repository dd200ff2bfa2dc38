// The real commands as people type them: an application to try things with, the proxy in front of it in the background,
// and the published SDK pointed at it; and the one thing that no flag allows.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Comfy } from "@comfyorg/sdk";
import sharp from "sharp";
import { at, upstreamState } from "./support/proxy-app.ts";
import {
  collectOutput,
  postgresPid,
  runAtelier,
  type ServerProcess,
  startServerProcess,
  until,
} from "./support/server-process.ts";

const token = "a-token-that-nobody-may-see";
let folder: string;
let home: string;
let sandbox: ServerProcess;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-proxy-commands-"));
  home = join(folder, "state", "atelier", "proxy-0");
  sandbox = await startServerProcess({
    home: join(folder, "sandbox"),
    command: ["sandbox"],
    env: { ATELIER_SANDBOX_APPLICATION_PORT: "0" },
  });
});
after(async () => {
  await atelier("stop");
  await sandbox.kill("SIGTERM");
  await until("PostgreSQL ended", () => postgresPid(home) === null);
  await rm(folder, { recursive: true, force: true });
});

async function atelier(verb: string, words: readonly string[] = [], env: Record<string, string> = {}) {
  const child = runAtelier(["proxy", verb, "--json", ...words], {
    XDG_STATE_HOME: join(folder, "state"),
    ATELIER_PROXY_PORT: "0",
    ATELIER_APPLICATION_URL: sandbox.baseUrl,
    ...env,
  });
  const { code, out } = await collectOutput(child);
  const answer: unknown = JSON.parse(out);
  return { code, answer };
}

test("a proxy is started once, listed, and stopped; the published SDK runs a graph through it", {
  timeout: 900_000,
}, async () => {
  assert.equal((await atelier("status")).code, 1);
  const started = await atelier("start", ["--proxy-token", token]);
  assert.equal(started.code, 0, JSON.stringify(started.answer));
  const [url, pid] = [String(at(started.answer, "data", "url")), Number(at(started.answer, "data", "pid"))];
  const status = await atelier("status");
  assert.deepEqual([status.code, at(status.answer, "data", "pid")], [0, pid]);
  assert.equal((await atelier("start")).code, 1, "a second one is not started");

  assert.equal((await stat(home)).mode & 0o777, 0o700);
  for (const name of ["proxy.json", "proxy.log", "secrets.json"])
    assert.equal((await stat(join(home, name))).mode & 0o777, 0o600, name);
  assert.equal((await fetch(`${url}/api/v2/jobs`)).status, 401);
  if (process.platform === "linux")
    assert.ok(!(await readFile(`/proc/${pid}/cmdline`, "utf8")).includes(token), "the token is no word of the process");

  await until("the application is seen", async () => (await upstreamState(url)) === "up");
  await runGraph(url);

  assert.equal((await atelier("stop")).code, 0);
  assert.equal((await atelier("status")).code, 1);
  assert.equal((await atelier("stop")).code, 0, "stopping what does not run is done");
  await assert.rejects(fetch(`${url}/api/v2/health`));
  assert.equal(postgresPid(home), null);
  assert.ok(!(await readFile(join(home, "proxy.log"), "utf8")).includes(token));
});

async function runGraph(url: string): Promise<void> {
  const photo = join(folder, "photo.png");
  const background = "#3060c0";
  await writeFile(
    photo,
    await sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  process.env["COMFY_BASE_URL"] = url;
  const client = new Comfy({ apiKey: token });
  delete process.env["COMFY_BASE_URL"];
  const workflow = client.workflows.fromJson({
    "1": { class_type: "LoadImage", inputs: { image: "" } },
    "2": {
      class_type: "ImageScale",
      inputs: { image: ["1", 0], upscale_method: "nearest-exact", width: 40, height: 24, crop: "disabled" },
    },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "commands" } },
  });
  workflow.setInput("1", "image", client.assets.fromFile(photo));
  const job = await client.run(workflow);
  assert.equal(job.status, "succeeded");
  await job.getOutputs("3")[0]?.toFile(join(folder, "out.png"));
  const { width, height } = await sharp(join(folder, "out.png")).metadata();
  assert.deepEqual([width, height], [40, 24]);
}

test("every address but loopback is refused with exit code 2, and no flag or token lifts that", async () => {
  const hosts = ["0.0.0.0", "::", "", "192.168.1.2", "10.0.0.1", "127.0.0.2", "::ffff:127.0.0.1", "example.org"];
  const refused = await Promise.all([
    ...hosts.map((host) => atelier("run", ["--host", host], { ATELIER_PROXY_TOKEN: token })),
    atelier("start", [], { ATELIER_HOST: "0.0.0.0" }),
    atelier("run", ["--host", "0.0.0.0", "--allowed-hosts", "box.example"]),
  ]);
  assert.deepEqual(
    refused.map(({ code }) => code),
    refused.map(() => 2),
  );
  for (const { answer } of refused) assert.match(String(at(answer, "error", "message")), /127\.0\.0\.1 and ::1/);
});

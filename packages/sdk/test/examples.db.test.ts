// Runs every example of the repository as its reader would.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import sharp from "sharp";
import { bearer, memberOf } from "../../server/test/support/app-client.ts";
import { freePort } from "../../server/test/support/free-port.ts";
import { type SandboxApps, sandboxApps } from "../../server/test/support/sandbox-app.ts";
import { until } from "../../server/test/support/server-process.ts";
import type { TestApp } from "../../server/test/support/test-app.ts";
import { Atelier } from "../src/index.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "atelier-examples-"));
const receiverPort = await freePort();
let apps: SandboxApps;
let app: TestApp;
const tried = new Set<string>();

before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_WEBHOOK_TARGETS: `127.0.0.1:${receiverPort}` } });
});
after(async () => {
  await apps.close();
  rmSync(folder, { recursive: true, force: true });
});

const node = ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning"];
const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  ATELIER_URL: app.baseUrl,
  ATELIER_API_KEY: app.key,
  ...more,
});
async function run(example: string, ...words: string[]): Promise<string> {
  tried.add(example);
  const path = join(root, "examples", example);
  const [program, args] = example.endsWith(".sh") ? ["sh", [path]] : [process.execPath, [...node, path]];
  const options = { cwd: folder, env: environment(), timeout: 900_000 };
  return (await promisify(execFile)(program, [...args, ...words], options)).stdout;
}

test("curl/run-a-model.sh saves a picture and is not charged twice", { timeout: 900_000 }, async () => {
  const said = await run("curl/run-a-model.sh", "lighthouse.png");
  assert.match(said, /saved lighthouse\.png\nthe same bytes again, not paid again/);
  assert.equal((await sharp(join(folder, "lighthouse.png")).metadata()).width, 384);
});

test("curl/run-a-workflow.sh saves the graph's outputs", { timeout: 900_000 }, async () => {
  const said = await run("curl/run-a-workflow.sh", join(root, "examples/first-picture.json"), "out");
  assert.match(said, /saved out\/first-picture_00001_\.png/);
  assert.equal((await sharp(join(folder, "out/first-picture_00001_.png")).metadata()).width, 864);
});

test("typescript/run-a-model.ts lists, runs and names the refused field", { timeout: 900_000 }, async () => {
  const said = await run("typescript/run-a-model.ts");
  assert.match(said, /sandbox\/image-1 /);
  assert.match(said, /18446744073709551615n/);
  assert.match(said, /refused, not billed: width/);
});

test("typescript/see-the-price-first.ts is charged the announced price, and its limit refuses", {
  timeout: 900_000,
}, async () => {
  const spendable = async () =>
    Number(memberOf((await app.call({ path: "/account/credits", headers: bearer(app.key) })).json(), "available"));
  const before = await spendable();
  const said = await run("typescript/see-the-price-first.ts");
  const [, lowest, highest] = /^drawn: ([\d.]+) to ([\d.]+) credits$/m.exec(said) ?? [];
  assert.match(said, /^refused: up to [\d.]+, allowed 0\.001$/m);
  assert.match(said, /^succeeded, 1 picture/m);
  const charged = before - (await spendable());
  assert.ok(charged > 0 && charged >= Number(lowest) && charged <= Number(highest) + 1e-6, `${charged}: ${said}`);
});

test("typescript/run-a-workflow.ts blends a photo with a model's picture", { timeout: 900_000 }, async () => {
  const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#204060" } })
    .png()
    .toBuffer();
  writeFileSync(join(folder, "photo.png"), photo);
  assert.match(await run("typescript/run-a-workflow.ts", "photo.png", "blended.png"), /saved blended\.png/);
  assert.match(await run("typescript/run-a-workflow.ts"), /saved blended\.png/, "with a picture of the gallery");
  const { width, height } = await sharp(join(folder, "blended.png")).metadata();
  assert.deepEqual([width, height], [384, 256]);
});

// Noise, so that the file is larger than what a connection buffers.
const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 384, height: 384, batch_size: 1, color: 0x808080 } },
  "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed: 1, strength: 0.5 } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "later" } },
};

test("typescript/show-an-output-later.ts shows it in three ways", { timeout: 900_000 }, async () => {
  const job = await new Atelier({ baseUrl: app.baseUrl, apiKey: app.key }).jobs.run(graph);
  const [said, newest] = [
    await run("typescript/show-an-output-later.ts", job.id),
    await run("typescript/show-an-output-later.ts"),
  ];
  assert.match(newest, /1\. re-hosted as later_00001_\.png\n/, "the newest job, where none is named");
  assert.match(said, /1\. re-hosted as later_00001_\.png\n2\. 200 without a key, until \S+Z\n3\. 200 .*, 401 /);
});

test("typescript/receive-webhooks.ts accepts our signatures and refuses others", {
  timeout: 900_000,
}, async () => {
  tried.add("typescript/receive-webhooks.ts");
  const made = await app.call({ method: "POST", path: "/account/webhooks/secrets", headers: bearer(app.key) });
  const { secret } = made.json() as { secret: string };
  const example = join(root, "examples/typescript/receive-webhooks.ts");
  const env = environment({ ATELIER_WEBHOOK_SECRET: secret });
  const receiver = spawn(process.execPath, [...node, example, String(receiverPort)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  receiver.stdout.on("data", (text: Buffer) => {
    said += text.toString();
  });
  try {
    await until("the receiver", () => said.includes("listening") || null);
    const url = `http://127.0.0.1:${receiverPort}/hook`;
    assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 401);
    await new Atelier({ baseUrl: app.baseUrl, apiKey: app.key }).jobs.run(graph, { webhookUrl: url });
    await until("the last change", () => / succeeded\n/.test(said) || null);
  } finally {
    receiver.kill();
  }
});

test("typescript/safety-hook.ts allows, replaces and refuses", { timeout: 900_000 }, async () => {
  tried.add("typescript/safety-hook.ts");
  const hookPort = await freePort();
  const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
  const example = join(root, "examples/typescript/safety-hook.ts");
  const env = environment({ ATELIER_SAFETY_HOOK_SECRET: secret });
  const hook = spawn(process.execPath, [...node, example, String(hookPort)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  hook.stdout.on("data", (text: Buffer) => {
    said += text.toString();
  });
  try {
    await until("the hook", () => said.includes("listening") || null);
    const url = `http://127.0.0.1:${hookPort}`;
    assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 401);
    const asking = await apps.open({
      env: {
        ATELIER_SAFETY_HOOK_URL: url,
        ATELIER_SAFETY_HOOK_SECRET: secret,
        ATELIER_SAFETY_HOOK_ON_FAILURE: "closed",
      },
    });
    const { models } = new Atelier({ baseUrl: asking.baseUrl, apiKey: asking.key });
    const ran = await models.run("sandbox/open-1", { prompt: "write to eve@example.com" });
    assert.equal(memberOf(ran.data, "prompt"), "write to (address)");
    await assert.rejects(
      models.run("sandbox/open-1", { prompt: "something forbidden" }),
      /This word is not allowed here/,
    );
    assert.match(said, /^sandbox\/open-1 answer \{"verdict":"allow"\}$/m);
  } finally {
    hook.kill();
  }
});

test("no example is left out, and the page names each", () => {
  const all = globSync("{curl,typescript}/*", { cwd: join(root, "examples") }).sort();
  assert.deepEqual([...tried].sort(), all);
  const page = readFileSync(join(root, "examples/README.md"), "utf8");
  for (const example of all) assert.ok(page.includes(`](${example})`), example);
});

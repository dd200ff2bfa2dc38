// The SDK that others published for this contract, unchanged from npm, pointed by its environment variable at a proxy in
// front of an application.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type RunningSandboxApplication, startSandboxApplication } from "@atelier/sandbox";
import { Comfy } from "@comfyorg/sdk";
import sharp from "sharp";
import { freePort } from "./support/free-port.ts";
import { at, type ProxyApp, proxyApp, upstreamState } from "./support/proxy-app.ts";
import { until } from "./support/server-process.ts";

let folder: string;
let application: RunningSandboxApplication;
let proxy: ProxyApp;
let client: Comfy;
let receiver: Server;
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];

before(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  folder = await mkdtemp(join(tmpdir(), "atelier-proxy-sdk-"));
  // Chosen beforehand: a port that the system assigned might belong to another program when the application comes back.
  application = await startSandboxApplication({ home: join(folder, "application"), port: await freePort() });
  const env = { ATELIER_WEBHOOK_TARGETS: `127.0.0.1:${receiverPort()}` };
  proxy = await proxyApp({ applicationUrl: application.url, env });
  await until("the application is seen", async () => (await upstreamState(proxy.url)) === "up");
  process.env["COMFY_BASE_URL"] = proxy.url;
  client = new Comfy();
  delete process.env["COMFY_BASE_URL"];
});
after(async () => {
  await proxy.close();
  await application.close();
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const receiverPort = () => (receiver.address() as AddressInfo).port;

const read = async (path: string): Promise<unknown> => (await fetch(new URL(path, proxy.url))).json();

const graph = (prefix: string) => ({
  "1": { class_type: "LoadImage", inputs: { image: "" } },
  "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: prefix } },
});

async function photo(background: string): Promise<string> {
  const file = join(folder, `${background.slice(1)}.png`);
  await writeFile(
    file,
    await sharp({ create: { width: 32, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return file;
}

// Inside an application, pictures are numbers from 0 to 1: each conversion may round.
function assertColour(pixels: Uint8Array, colour: readonly number[]): void {
  const isNear = colour.every((value, channel) => Math.abs(value - (pixels[channel] ?? 0)) <= 2);
  assert.ok(isNear, `${pixels.subarray(0, 3).join(",")} is not ${colour.join(",")}`);
}

test("the public SDK uploads a picture, runs a graph in the application and downloads the result", async () => {
  const workflow = client.workflows.fromJson(graph("sdk"));
  workflow.setInput("1", "image", client.assets.fromFile(await photo("#20a040")));
  const job = await client.run(workflow);
  assert.equal(job.status, "succeeded");
  const [output] = job.getOutputs("3");
  assert.ok(output);
  await output.toFile(join(folder, "out.png"));
  const { data, info } = await sharp(await readFile(join(folder, "out.png")))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [32, 16]);
  assertColour(data, [0xdf, 0x5f, 0xbf]);
});

test("the public SDK streams a job to its end and sees its output before it", async () => {
  const workflow = client.workflows.fromJson(graph("stream"));
  workflow.setInput("1", "image", client.assets.fromFile(await photo("#102030")));
  const job = await client.submit(workflow);
  const seen: string[] = [];
  for await (const event of job.events()) seen.push(event.kind);
  assert.ok(seen.includes("outputReady"), seen.join(" "));
  assert.equal(seen.at(-1), "statusChange");
  await job.refresh();
  assert.equal(job.status, "succeeded");
});

test("Spec, Output URL rule 3: nothing is signed, and the SDK sees an expiry of null", async () => {
  const workflow = client.workflows.fromJson(graph("url"));
  workflow.setInput("1", "image", client.assets.fromFile(await photo("#405060")));
  const job = await client.run(workflow);
  const output = at(await read(`/api/v2/jobs/${job.id}`), "outputs", 0);
  const [id, url] = [String(at(output, "id")), String(at(output, "url"))];
  assert.equal(at(output, "url_expires_at"), null);
  assert.equal(url, `${proxy.url}/api/v2/assets/${id}/content`);
  assert.equal((await fetch(url)).status, 200);
  assert.equal(at(await read(`/api/v2/assets/${id}`), "url_expires_at"), null);
});

test("an output of one job is the input of the next", async () => {
  const first = client.workflows.fromJson(graph("first"));
  first.setInput("1", "image", client.assets.fromFile(await photo("#708090")));
  const [made] = (await client.run(first)).getOutputs("3");
  assert.ok(made);
  const second = client.workflows.fromJson(graph("second"));
  second.setInput("1", "image", { __type: "core/ASSET", info: { id: made.id } });
  const job = await client.run(second);
  assert.equal(job.status, "succeeded");
  const [output] = job.getOutputs("3");
  await output?.toFile(join(folder, "twice.png"));
  const { data } = await sharp(await readFile(join(folder, "twice.png")))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assertColour(data, [0x70, 0x80, 0x90]);
});

test("a receiver verifies webhooks with the secret in the proxy's home, which only its owner can read and which stays", async () => {
  const file = join(proxy.home, "webhook-secret.txt");
  const secret = (await readFile(file, "utf8")).trim();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const workflow = { "1": { class_type: "PreviewAny", inputs: { source: "told" } } };
  const body = JSON.stringify({ workflow, webhook_url: `http://127.0.0.1:${receiverPort()}/told` });
  const headers = { "content-type": "application/json" };
  assert.equal((await fetch(new URL("/api/v2/jobs", proxy.url), { method: "POST", headers, body })).status, 201);
  await until("the end is told", () => received.some(({ body: text }) => text.includes('"status":"succeeded"')));
  for (const hook of received) {
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = hook.headers;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${time}.${hook.body}`).digest("base64");
    assert.equal(signature, `v1,${expected}`);
  }
  await proxy.restart();
  assert.equal((await readFile(file, "utf8")).trim(), secret);
});

test("the proxy keeps the application's outputs: they can be read when the application is gone", async () => {
  const workflow = client.workflows.fromJson(graph("kept"));
  workflow.setInput("1", "image", client.assets.fromFile(await photo("#a0b0c0")));
  const job = await client.run(workflow);
  await application.close();
  try {
    const [output] = job.getOutputs("3");
    assert.ok(output);
    await output.toFile(join(folder, "kept.png"));
    assert.equal((await sharp(join(folder, "kept.png")).metadata()).width, 32);
    await until("the application is missed", async () => (await upstreamState(proxy.url)) === "down");
    const health = await read("/api/v2/health");
    assert.deepEqual([at(health, "status"), at(health, "upstream")], ["degraded", application.url]);
  } finally {
    application = await startSandboxApplication({ home: join(folder, "application"), port: application.port });
  }
});

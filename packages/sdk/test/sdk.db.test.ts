// The SDK against the real server, as an application uses it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import sharp from "sharp";
import { bearer } from "../../server/test/support/app-client.ts";
import { createPublisher, packed } from "../../server/test/support/publishing.ts";
import { type SandboxApps, sandboxApps } from "../../server/test/support/sandbox-app.ts";
import type { TestApp } from "../../server/test/support/test-app.ts";
import { Badges } from "../src/badges.ts";
import { Blake3 } from "../src/blake3.ts";
import {
  Atelier,
  ConnectionFailed,
  EditorWorkflow,
  type Graph,
  GraphFile,
  InvalidInput,
  InvalidWorkflow,
  type JobEvent,
  JobFailed,
  ModelNotFound,
  NotFound,
  PriceAboveLimit,
  Unauthorized,
  Workflow,
} from "../src/index.ts";

let apps: SandboxApps;
let app: TestApp;
let atelier: Atelier;
const limit = { timeout: 900_000 };

before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
  atelier = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
});
after(() => apps.close());

const graph = (colour: number): Graph => ({
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: colour } },
  "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "sdk" } },
});

describe("node classes", limit, () => {
  test("they can be listed, searched, read one by one and given in the application's shape, integers exact", async () => {
    const all = await Array.fromAsync(atelier.classes.list({ pageSize: 100 }));
    const info = await atelier.classes.objectInfo();
    assert.deepEqual(all.map(({ name }) => name).sort(), Object.keys(info).sort());
    const [best] = await Array.fromAsync(atelier.classes.list({ q: "scale image", pageSize: 5 }));
    assert.equal(best?.name, "ImageScale");
    const model = await atelier.classes.get("AtelierModelImage");
    assert.equal(model.inputs.find(({ name }) => name === "seed")?.max, 18446744073709551615n);
    assert.ok(model.runs_on.engine);
    await assert.rejects(atelier.classes.get("No/Such"), NotFound);
  });
});

describe("models", limit, () => {
  test("the catalog is listed to its end, for any page size", async () => {
    const [small, whole] = [
      await Array.fromAsync(atelier.models.list({ pageSize: 1 })),
      await Array.fromAsync(atelier.models.list()),
    ];
    assert.ok(whole.length >= 6);
    assert.deepEqual(small, whole);
    const detail = await atelier.models.get("sandbox/text-1");
    assert.equal(detail.id, "sandbox/text-1");
    assert.equal((await atelier.models.schema("sandbox/text-1"))["openapi"], "3.1.0");
  });

  test("an estimate contains the charge, knows past runs, and a limit below it refuses before anything runs", async () => {
    const input = { prompt: "waves", width: 64, height: 64, seed: 1n };
    const runs = await Promise.all([1, 2, 3].map(() => atelier.models.run("sandbox/image-1-queued", input)));
    const {
      credits,
      hold,
      expected_seconds: expected,
    } = await atelier.models.estimate("sandbox/image-1-queued", input);
    for (const { creditsUsed } of runs)
      assert.ok(Number(creditsUsed) >= Number(credits.lowest) && Number(creditsUsed) <= Number(credits.highest));
    assert.equal(hold, credits.highest);
    assert.ok(expected && expected.count === 3 && expected.median > 0 && expected.p90 >= expected.median);
    await assert.rejects(atelier.models.run("sandbox/image-1-queued", input, { maxCredits: 0.000001 }), (error) => {
      assert.ok(error instanceof PriceAboveLimit);
      assert.deepEqual([error.highest, error.limit, error.billed], [credits.highest, "0.000001", "no"]);
      return true;
    });
    const within = await atelier.models.run("sandbox/image-1-queued", input, { maxCredits: credits.highest });
    assert.ok(Number(within.creditsUsed) > 0);
    await assert.rejects(atelier.models.estimate("sandbox/image-1-queued", { width: -1 }), InvalidInput);
  });

  test("a call pays once under its key, and a repeat replays the very bytes", async () => {
    const idempotencyKey = crypto.randomUUID();
    const input = { prompt: "a haiku about tea", seed: 18446744073709551615n };
    const first = await atelier.models.run("sandbox/open-1", input, { idempotencyKey });
    const again = await atelier.models.run("sandbox/open-1", input, { idempotencyKey });
    assert.deepEqual([first.isReplay, again.isReplay], [false, true]);
    assert.deepEqual(again.bytes, first.bytes);
    assert.ok(first.requestId !== null && first.requestId !== again.requestId);
    assert.match(new TextDecoder().decode(first.bytes), /18446744073709551615/);
  });

  test("failures are classes with facts", async () => {
    await assert.rejects(atelier.models.run("sandbox/none", {}), ModelNotFound);
    await assert.rejects(
      atelier.models.run("sandbox/image-1", { prompt: 5 }),
      (error) => error instanceof InvalidInput && error.fields[0]?.loc[1] === "prompt" && error.requestId !== null,
    );
    const stranger = new Atelier({ baseUrl: app.baseUrl, apiKey: "service-wrong" });
    await assert.rejects(stranger.models.get("sandbox/image-1"), Unauthorized);
    const nobody = new Atelier({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
    await assert.rejects(nobody.models.get("sandbox/image-1"), ConnectionFailed);
  });
});

describe("jobs", limit, () => {
  test("run gives the outputs, and events end with the terminal status after every output", async () => {
    const seen: JobEvent[] = [];
    const job = await atelier.jobs.run(graph(0xff0000), { onEvent: (event) => seen.push(event), metadata: "spring" });
    const [output] = job.outputs;
    assert.ok(output);
    const { data } = await sharp(await atelier.jobs.download(output))
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([...data.subarray(0, 3)], [0, 255, 255]);
    const types = seen.map(({ type }) => type);
    assert.equal(types.at(-1), "status");
    assert.equal(types.filter((type) => type === "output").length, 1);
    assert.ok(types.indexOf("output") < types.length - 1);
    const listed = await Array.fromAsync(atelier.jobs.list({ metadata: "spring" }));
    assert.deepEqual(
      listed.map(({ id }) => id),
      [job.id],
    );
  });

  test("a file in a graph is uploaded once: the second job finds it by its hash", async () => {
    const photo = await sharp({ create: { width: 32, height: 32, channels: 3, background: "#0a0" } })
      .png()
      .toBuffer();
    const loading: Graph = {
      "1": { class_type: "LoadImage", inputs: { image: "" } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "photo" } },
    };
    const filled = new Workflow(loading).set("1", "image", new GraphFile(photo, { filePath: "green.png" }));
    const job = await atelier.jobs.run(filled);
    assert.equal(job.outputs.length, 1);
    const asset = await atelier.assets.put(photo, { filePath: "green.png" });
    assert.equal(asset.created_new, false);
    assert.deepEqual(loading["1"]?.inputs, { image: "" });
  });

  test("a job is found again by its id, cancel is final, and a failure says where", async () => {
    const handle = await atelier.jobs.submit(graph(5));
    await (await atelier.jobs.get(handle.id)).wait();
    assert.equal((await handle.cancel()).status, "succeeded");
    const loading: Graph = {
      "1": { class_type: "LoadImage", inputs: { image: new GraphFile(new TextEncoder().encode("no picture")) } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    };
    await assert.rejects(
      atelier.jobs.run(loading),
      (error) => error instanceof JobFailed && error.job.error?.node_id === "1" && /node 1/.test(error.message),
    );
    await assert.rejects(atelier.jobs.get(crypto.randomUUID()), NotFound);
  });

  test("a graph that cannot run names its nodes; the editor's format is recognised and can be converted", async () => {
    await assert.rejects(
      atelier.jobs.submit({ "1": { class_type: "Nothing", inputs: {} } }),
      (error) => error instanceof InvalidWorkflow && JSON.stringify(error.details).includes("Nothing"),
    );
    const editor = { nodes: [], links: [], last_node_id: 0 } as unknown as Graph;
    await assert.rejects(atelier.jobs.submit(editor), EditorWorkflow);
  });

  test("without a stream, polling does the same", async () => {
    const withoutStream = new Atelier({
      baseUrl: app.baseUrl,
      apiKey: app.key,
      fetch: (url, init) =>
        String(url).endsWith("/events")
          ? Promise.resolve(new Response('{"error":{"code":"not_implemented","message":"no"}}', { status: 501 }))
          : fetch(url, init),
    });
    const seen: string[] = [];
    const job = await withoutStream.jobs.run(graph(77), { onEvent: ({ type }) => seen.push(type) });
    assert.equal(job.status, "succeeded");
    assert.deepEqual([seen.at(-1), seen.filter((type) => type === "output").length], ["status", 1]);
  });
});

describe("assets", limit, () => {
  test("bytes go up once, come down whole or in part, and are shared by an address that needs no key", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const asset = await atelier.assets.put(bytes, { filePath: "noise.bin", tags: ["noise"] });
    assert.equal(asset.hash, `blake3:${new Blake3().update(bytes).hex()}`);
    assert.deepEqual(await atelier.assets.download(asset), bytes);
    const part = await atelier.assets.open(asset, { range: { from: 10, to: 19 } });
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(10, 20));
    const { url, expiresAt } = await atelier.assets.share(asset);
    assert.ok(expiresAt !== null && expiresAt.getTime() > Date.now());
    assert.deepEqual(new Uint8Array(await (await fetch(url)).arrayBuffer()), bytes);
    const tagged = await Array.fromAsync(atelier.assets.list({ tag: "noise" }));
    assert.deepEqual(
      tagged.map(({ id }) => id),
      [asset.id],
    );
    await atelier.assets.delete(asset.id);
    await assert.rejects(atelier.assets.get(asset.id), NotFound);
  });

  test("a large file that is interrupted again and again continues where the server was", async () => {
    const bytes = new Uint8Array(40 * 1024 * 1024).map((_, at) => at * 31);
    let cuts = 0;
    const flaky = new Atelier({
      baseUrl: app.baseUrl,
      apiKey: app.key,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        // The bytes arrived, but the answer does not.
        if (init?.method === "PATCH" && cuts++ < 2) throw new TypeError("the line was cut");
        return answer;
      },
    });
    const sent: number[] = [];
    const asset = await flaky.assets.put(bytes, { filePath: "large.bin", onProgress: (done) => sent.push(done) });
    assert.equal(asset.size_bytes, bytes.length);
    assert.ok(cuts >= 3);
    assert.equal(asset.hash, `blake3:${new Blake3().update(bytes).hex()}`);
  });
});

test("a private node is published with a publisher's token and no key, and exists for nobody else", limit, async () => {
  const { id: publisherId, token } = await createPublisher(app, "sdk-hidden");
  const path = `/publishers/${publisherId}`;
  const hidden = await app.call({ method: "PUT", path, headers: bearer(app.key), body: { visibility: "workspace" } });
  assert.equal(hidden.status, 200, hidden.text);
  const keyless = new Atelier({ baseUrl: app.baseUrl, apiKey: "" });
  const request = (nodeId: string, version: string, source: string) => ({
    publisherId,
    nodeId,
    node: { name: "Kept to ourselves" },
    version: { version, changelog: "the first" },
    archive: packed(publisherId, { nodeId, version }, [{ name: "nodes.py", bytes: source }]),
  });
  const fine = request("sdk-private", "1.0.0", "x = 1\n");
  await assert.rejects(keyless.registry.publish(fine), Unauthorized);
  const clean = await keyless.registry.publish({ ...fine, token });
  assert.deepEqual([clean.version, clean.status, clean.findings], ["1.0.0", "NodeVersionStatusActive", []]);
  // A caller with only the token learns it now or never.
  const evil = await keyless.registry.publish({ ...request("sdk-private", "1.1.0", "eval(input())\n"), token });
  assert.equal(evil.status, "NodeVersionStatusFlagged");
  assert.deepEqual(
    evil.findings?.map(({ code }) => code),
    ["python_eval"],
  );
  await assert.rejects(keyless.registry.install("sdk-private"), NotFound);
  const installed = await atelier.registry.install("sdk-private");
  assert.deepEqual([installed.version, installed.changelog], ["1.0.0", "the first"]);
});

describe("on the way", limit, () => {
  let server: Server;
  let base = "";
  const heard: { key: string | undefined; authorization: string | undefined }[] = [];
  let answers: [number, Record<string, string>, string][] = [];
  before(async () => {
    server = createServer((request, response) => {
      heard.push({ key: String(request.headers["idempotency-key"]), authorization: request.headers.authorization });
      const [status, headers, body] = answers.shift() ?? [200, { "content-type": "application/json" }, "{}"];
      request.resume().on("end", () => response.writeHead(status, headers).end(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  after(() => server.close());

  test("a refusal with Retry-After is waited for, a deadline is collected, all under one key", async () => {
    heard.length = 0;
    const bucket = (name: string) => ({ "x-service-error-type": name, "retry-after": "0" });
    answers = [
      [429, bucket("rate_limited"), ""],
      [503, bucket("service_unavailable"), "<html>"],
      [504, bucket("deadline_exceeded"), ""],
      [200, { "content-type": "application/json" }, '{"done":true}'],
    ];
    const { data } = await new Atelier({ baseUrl: base, apiKey: "k" }).models.run("a/b", {});
    assert.deepEqual(data, { done: true });
    assert.equal(heard.length, 4);
    assert.equal(new Set(heard.map(({ key }) => key)).size, 1);
  });

  test("a provider's fault is not paid for twice", async () => {
    heard.length = 0;
    answers = [[502, { "x-service-error-type": "provider_error" }, ""]];
    await assert.rejects(new Atelier({ baseUrl: base, apiKey: "k" }).models.run("a/b", {}));
    assert.equal(heard.length, 1);
  });

  test("the key is never sent to another origin", async () => {
    heard.length = 0;
    const stranger = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
    await stranger.request(`${base}/elsewhere`);
    assert.deepEqual(
      heard.map(({ authorization }) => authorization),
      [undefined],
    );
  });

  test("a signal ends a wait between retries", async () => {
    answers = [[429, { "x-service-error-type": "rate_limited", "retry-after": "60" }, ""]];
    const stop = new AbortController();
    const asking = new Atelier({ baseUrl: base }).models.run("a/b", {}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 50);
    await assert.rejects(asking, /enough/);
  });
});

test("badges are fetched once, then revalidated, and evaluate to a price", limit, async () => {
  const statuses: number[] = [];
  const badges = new Badges({
    baseUrl: app.baseUrl,
    appVersion: "nightly",
    platform: "cloud",
    freshMs: 0,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      statuses.push(answer.status);
      return answer;
    },
  });
  const map = await badges.map();
  assert.deepEqual(await badges.map(), map);
  assert.deepEqual(statuses, [200, 304]);
  for (const id of Object.keys(map).slice(0, 3)) {
    const badge = await badges.get(id);
    const widgets = Object.fromEntries(
      (badge?.depends_on.widgets ?? []).map(({ name, type }) => [name, type === "INT" || type === "FLOAT" ? 1 : "1"]),
    );
    const value = await badges.evaluate(id, { widgets });
    assert.ok(value === null || value === undefined || typeof value.type === "string", id);
  }
  assert.equal(await badges.get("NoSuchNode"), null);
});

// scripts/freeze-release.mjs keeps the package of each release, with a program that uses all of it.
test("every released SDK runs against today's server", limit, async () => {
  const root = join(import.meta.dirname, "../../..");
  const releases = readdirSync(join(root, "packages/sdk/released"));
  assert.ok(releases.length > 0);
  const folder = mkdtempSync(join(tmpdir(), "atelier-released-"));
  try {
    for (const version of releases) {
      const release = join(root, "packages/sdk/released", version);
      const modules = join(folder, version, "node_modules");
      mkdirSync(join(modules, "@atelier/sdk"), { recursive: true });
      const unpack = ["-xzf", join(release, "sdk.tar.gz"), "-C", join(modules, "@atelier/sdk"), "--strip-components=1"];
      await promisify(execFile)("tar", unpack, { timeout: 900_000 });
      symlinkSync(join(root, "node_modules/jsonata"), join(modules, "jsonata"));
      copyFileSync(join(release, "everything.mjs"), join(folder, version, "everything.mjs"));
      const env = { PATH: process.env["PATH"] ?? "", ATELIER_URL: app.baseUrl, ATELIER_API_KEY: app.key };
      const options = { cwd: join(folder, version), env, timeout: 900_000 };
      const { stdout } = await promisify(execFile)(process.execPath, ["everything.mjs"], options);
      const expected: unknown = JSON.parse(readFileSync(join(release, "expected.json"), "utf8"));
      assert.deepEqual(JSON.parse(stdout), expected, version);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// Files of the application behind a proxy: registered in place, models put into their folders, and nothing outside its
// four folders within reach. With a token: a request without it gets nothing.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type RunningSandboxApplication, startSandboxApplication } from "@atelier/sandbox";
import sharp from "sharp";
import { readExactJson } from "../src/foundation/json/exact-json.ts";
import { at, type ProxyApp, proxyApp, upstreamState } from "./support/proxy-app.ts";
import { until } from "./support/server-process.ts";

const token = "a-token-of-this-test-only";
let home: string;
let application: RunningSandboxApplication;
let proxy: ProxyApp;

before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-proxy-files-"));
  for (const name of ["input", "output/sub", "temp", "models/loras", "custom_nodes"])
    await mkdir(join(home, name), { recursive: true });
  application = await startSandboxApplication({ home });
  proxy = await proxyApp({
    applicationUrl: application.url,
    env: { ATELIER_APPLICATION_FOLDER: home, ATELIER_PROXY_TOKEN: token },
  });
  await until("the application is seen", async () => (await upstreamState(proxy.url)) === "up");
});
after(async () => {
  await proxy.close();
  await application.close();
  await rm(home, { recursive: true, force: true });
});

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const answer = await fetch(new URL(path, proxy.url), { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
}

function namesIn(page: unknown): unknown[] {
  const list = at(page, "data");
  return Array.isArray(list) ? list.map((asset) => at(asset, "file_path")) : [];
}

const send = (path: string, body: unknown) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const register = (file_path: string, more: object = {}) => send("/api/v2/assets/from-path", { file_path, ...more });

function upload(filePath: string, bytes: Uint8Array<ArrayBuffer>, { nameLast = false } = {}) {
  const form = new FormData();
  const name = () => form.append("file_path", filePath);
  if (!nameLast) name();
  form.append("content_type", "application/octet-stream");
  form.append("file", new Blob([bytes]), "x");
  if (nameLast) name();
  return ask("/api/v2/assets", { method: "POST", body: form });
}

function aModel(fill: number): Buffer<ArrayBuffer> {
  const header = JSON.stringify({ w: { dtype: "U8", shape: [64], data_offsets: [0, 64] } });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, Buffer.from(header), Buffer.alloc(64, fill)]);
}

const picture = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();

describe("a file that the application has", () => {
  test("becomes an asset with its bytes, which outlives the file", async () => {
    const bytes = await picture("#ff0000");
    await writeFile(join(home, "output/sub/red.png"), bytes);
    const { status, body } = await register("output/sub/red.png", { tags: ["mine"] });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(
      [at(body, "file_path"), at(body, "content_type"), at(body, "size_bytes"), at(body, "tags")],
      ["output/sub/red.png", "image/png", bytes.length, ["mine"]],
    );
    assert.equal((await register("output/sub/red.png")).status, 200);
    await rm(join(home, "output/sub/red.png"));
    const content = await fetch(String(at(body, "url")), { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(Buffer.from(await content.arrayBuffer()), bytes);
  });
  test("is not sent to the application again when a graph uses it", async () => {
    await writeFile(join(home, "output/blue.png"), await picture("#0000ff"));
    const { body: asset } = await register("output/blue.png");
    const before = await readdir(join(home, "input"));
    const workflow = {
      "1": { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: at(asset, "id") } } } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "again" } },
    };
    const { body: job, status } = await send("/api/v2/jobs", { workflow });
    assert.equal(status, 201, JSON.stringify(job));
    const ended = await until("the job ends", async () => {
      const { body } = await ask(`/api/v2/jobs/${at(job, "id")}`);
      return ["succeeded", "failed"].includes(String(at(body, "status"))) && { body };
    });
    assert.equal(at(ended.body, "status"), "succeeded", JSON.stringify(at(ended.body, "error")));
    assert.deepEqual(await readdir(join(home, "input")), before);
    const history: unknown = await (await fetch(`${application.url}/history/${at(job, "id")}`)).json();
    assert.equal(at(history, String(at(job, "id")), "prompt", 2, "1", "inputs", "image"), "blue.png [output]");
  });
  test("that is missing, or no longer there, is reported so for good", async () => {
    const { status, body } = await register("output/none.png");
    assert.deepEqual([status, at(body, "error", "code")], [404, "output_unavailable"]);
  });
  test("outside the four folders does not exist, by any path", async () => {
    await writeFile(join(home, "custom_nodes/x.py"), "x");
    await symlink(join(home, "custom_nodes"), join(home, "output/way"));
    const refused: readonly (readonly [unknown, number])[] = [
      ["/etc/passwd", 422],
      ["output/../../../etc/passwd", 422],
      ["custom_nodes/x.py", 422],
      ["output", 422],
      ["output/sub", 422],
      ["", 422],
      [7, 422],
      [null, 422],
      ["output/way/x.py", 403],
    ];
    for (const [path, status] of refused) {
      const answer = await send("/api/v2/assets/from-path", { file_path: path });
      assert.equal(answer.status, status, `${path} ${JSON.stringify(answer.body)}`);
    }
  });
  test("with another hash than declared leaves nothing behind", async () => {
    await writeFile(join(home, "input/h.txt"), "h");
    const { status, body } = await register("input/h.txt", { expected_hash: `blake3:${"0".repeat(64)}` });
    assert.deepEqual([status, at(body, "error", "code")], [409, "hash_mismatch"]);
  });
});

describe("an uploaded model", () => {
  test("is where the application looks for models once the upload is answered", async () => {
    const { status, body } = await upload("models/loras/style/a.safetensors", aModel(1));
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(await readFile(join(home, "models/loras/style/a.safetensors")), aModel(1));
    assert.deepEqual(await readdir(join(home, "models/loras/style")), ["a.safetensors"]);
    assert.equal((await upload("models/loras/style/a.safetensors", aModel(1))).status, 200);
  });
  test("never replaces another, and then leaves no record", async () => {
    await upload("models/vae/v.safetensors", aModel(2));
    for (const nameLast of [false, true]) {
      const { status, body } = await upload("models/vae/v.safetensors", aModel(3), { nameLast });
      assert.deepEqual([status, at(body, "error", "code")], [409, "conflict"]);
    }
    assert.deepEqual(await readFile(join(home, "models/vae/v.safetensors")), aModel(2));
    const { body } = await ask("/api/v2/assets?limit=100");
    assert.equal(namesIn(body).filter((name) => name === "models/vae/v.safetensors").length, 1);
  });
  test("that is invalid, outside a model folder or of another format is refused", async () => {
    const pickle = Buffer.from("\x80\x02}q\x00(pickle pickle)", "latin1");
    for (const [path, bytes] of [
      ["models/loras/p.safetensors", pickle],
      ["models/loras/p.ckpt", aModel(4)],
      ["models/configs/p.safetensors", aModel(4)],
      ["models/custom_nodes/p.safetensors", aModel(4)],
      ["models/p.safetensors", aModel(4)],
    ] as const)
      assert.equal((await upload(path, new Uint8Array(bytes))).status, 422, path);
    assert.ok(!(await readdir(join(home, "models/loras"))).some((name) => name.includes("p.")));
  });
  test("can be made from stored bytes, by their hash", async () => {
    const { body } = await upload("plain.bin", aModel(5));
    const { status } = await send("/api/v2/assets/from-hash", {
      hash: at(body, "hash"),
      file_path: "models/checkpoints/c.safetensors",
    });
    assert.equal(status, 201);
    assert.deepEqual(await readFile(join(home, "models/checkpoints/c.safetensors")), aModel(5));
  });
  test("can come in parts", async () => {
    const bytes = aModel(6);
    const encoded = (text: string) => Buffer.from(text).toString("base64");
    const metadata = `content_type ${encoded("application/octet-stream")},file_path ${encoded("models/unet/u.safetensors")}`;
    const tus = { "tus-resumable": "1.0.0", authorization: `Bearer ${token}` };
    const made = await fetch(`${proxy.url}/api/v2/uploads`, {
      method: "POST",
      headers: { ...tus, "upload-length": String(bytes.length), "upload-metadata": metadata },
    });
    assert.equal(made.status, 201);
    const target = new URL(made.headers.get("location") ?? "", proxy.url);
    for (const [from, to] of [
      [0, 10],
      [10, bytes.length],
    ] as const) {
      const sent = await fetch(target, {
        method: "PATCH",
        headers: { ...tus, "upload-offset": String(from), "content-type": "application/offset+octet-stream" },
        body: bytes.subarray(from, to),
      });
      assert.equal(sent.status, 204);
    }
    assert.deepEqual(await readFile(join(home, "models/unet/u.safetensors")), bytes);
  });
});

describe("the application's node classes", () => {
  const classes = "/api/v2/node-classes";
  const textAt = async (url: string) => (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text();
  const withModel = (name: string) => ({
    workflow: {
      1: { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: name } },
      2: { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
      3: { class_type: "TestSleep", inputs: { value: ["1", 0], seconds: 0 } },
      4: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "m" } },
      5: { class_type: "PreviewAny", inputs: { source: ["3", 0] } },
    },
  });

  test("are served as the application reports them, value for value, however large the integer", async () => {
    const own = await textAt(`${application.url}/object_info`);
    assert.ok(own.includes(":18446744073709551615") && own.includes(":-9223372036854775807"));
    const isEqual = async () =>
      isDeepStrictEqual(readExactJson(await textAt(`${proxy.url}${classes}?format=object_info`)), readExactJson(own));
    await until("the newest lists were read", isEqual);
    const one = await textAt(`${proxy.url}${classes}/LoadImage?format=object_info`);
    assert.deepEqual(readExactJson(one), readExactJson(await textAt(`${application.url}/object_info/LoadImage`)));
    const { body } = await ask(`${classes}/SaveImage`);
    assert.deepEqual(at(body, "runs_on"), { engine: false, pools: [], application: true });
    assert.equal(at(body, "price"), undefined);
  });

  test("refuse a model that is on no disk before the application is asked, and accept it once it is there", async () => {
    await upload("models/checkpoints/base_1.0.safetensors", aModel(7));
    const offered = async () => (await textAt(`${proxy.url}${classes}/CheckpointLoaderSimple`)).includes("base_1.0");
    await until("the checkpoint is listed", offered);
    const refused = await send("/api/v2/jobs", withModel("base_1.1.safetensors"));
    assert.equal(refused.status, 422);
    const text = JSON.stringify(refused.body);
    assert.ok(text.includes("value_not_in_list") && text.includes('"did_you_mean":"base_1.0.safetensors"'), text);
    assert.match(String(at(refused.body, "error", "message")), /ckpt_name\. Did you mean "base_1\.0\.safetensors"\?/);
    const taken = await send("/api/v2/jobs", withModel("base_1.0.safetensors"));
    assert.equal(taken.status, 201, JSON.stringify(taken.body));
  });
});

describe("a token", () => {
  test("is required everywhere but at the health probe", async () => {
    for (const path of ["/api/v2/jobs", "/api/v2/assets", "/api/v2/nothing"]) {
      assert.equal((await fetch(`${proxy.url}${path}`)).status, 401, path);
      const wrong = { authorization: `Bearer ${token}x` };
      assert.equal((await fetch(`${proxy.url}${path}`, { headers: wrong })).status, 401, path);
    }
    assert.equal((await ask("/api/v2/jobs")).status, 200);
    assert.equal((await fetch(`${proxy.url}/api/v2/health`)).status, 200);
  });
  test("is in no line of the log", () => {
    assert.ok(!proxy.logged.some((line) => line.includes(token)));
  });
});

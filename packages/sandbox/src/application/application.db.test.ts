import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request as call } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { ApplicationClient, recordOf, until } from "../../test/support/application-client.ts";
import { type RunningSandboxApplication, startSandboxApplication } from "./start-application.ts";

let home: string;
let old: RunningSandboxApplication;
let current: RunningSandboxApplication;
const clients: ApplicationClient[] = [];

before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-application-"));
  old = await startSandboxApplication({ home: join(home, "old"), version: "old" });
  current = await startSandboxApplication({ home: join(home, "new") });
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

after(async () => {
  await Promise.all([old.close(), current.close()]);
  await rm(home, { recursive: true, force: true });
});

async function clientOf(
  application: RunningSandboxApplication,
  name: string = randomUUID(),
): Promise<ApplicationClient> {
  const client = await new ApplicationClient(application.url, name).connect();
  clients.push(client);
  return client;
}

// Different each time, so that nothing comes from memory.
const sleeping = (seconds: number) => ({
  "1": { class_type: "PrimitiveString", inputs: { value: randomUUID() } },
  "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds } },
  "3": { class_type: "PreviewAny", inputs: { source: ["2", 0] } },
});

const isRunning = (client: ApplicationClient, id: string) =>
  until(() => client.of("progress").some((data) => data["prompt_id"] === id));

async function queueOf(client: ApplicationClient): Promise<{ running: unknown[]; pending: unknown[][] }> {
  const queue = recordOf(await (await client.get("/api/queue")).json());
  const { queue_running: running, queue_pending: pending } = queue;
  return { running: Array.isArray(running) ? running : [], pending: Array.isArray(pending) ? pending : [] };
}

describe("the queue", () => {
  test("lists waiting prompts in heap order, runs them by number, and forgets the removed ones without a trace", async () => {
    const client = await clientOf(old);
    const first = await client.submit(sleeping(30));
    await isRunning(client, first);
    const [a, b, c] = [
      await client.submit(sleeping(0)),
      await client.submit(sleeping(0)),
      await client.submit(sleeping(0)),
    ];
    const front = await client.submit(sleeping(0), { front: true });
    const listed = await queueOf(client);
    assert.equal(listed.running.length, 1);
    assert.deepEqual(
      listed.pending.map(([, id]) => id),
      [front, a, c, b],
    );
    assert.deepEqual(await client.history(first), {});
    assert.deepEqual(await client.post("/queue", { delete: [b, first, "unknown"] }), {
      status: 200,
      text: "",
      json: {},
    });
    assert.equal((await queueOf(client)).running.length, 1, "a running prompt is not removed");
    await client.post("/interrupt", { prompt_id: first });
    for (const id of [a, c, front]) await client.ended(id);
    assert.deepEqual(await client.history(b), {});
    const starts = client.of("execution_start").map((data) => data["prompt_id"]);
    assert.deepEqual(starts, [first, front, a, c]);
  });

  test("interrupts only the named prompt, and the running one when none is named", async () => {
    const client = await clientOf(old);
    const before = old.stats.untargetedInterrupts;
    const id = await client.submit(sleeping(30));
    await isRunning(client, id);
    await client.post("/interrupt", { prompt_id: randomUUID() });
    assert.equal((await queueOf(client)).running.length, 1);
    assert.equal(old.stats.untargetedInterrupts, before);
    await client.post("/interrupt", "");
    await client.ended(id);
    assert.equal(old.stats.untargetedInterrupts, before + 1);
    assert.equal((await client.post("/interrupt", "")).status, 200, "nothing runs: nothing happens");
  });

  test("success is announced before it is in the history, the last message after", async () => {
    const client = await clientOf(old);
    const id = await client.submit(sleeping(0));
    await client.ended(id);
    const entry = await client.history(id);
    const graph = recordOf(Array.isArray(entry["prompt"]) ? entry["prompt"][2] : null);
    const { value } = recordOf(recordOf(graph["1"])["inputs"]);
    assert.deepEqual(recordOf(entry["outputs"])["3"], { text: [value] });
  });
});

describe("the newer version's jobs", () => {
  test("cancels waiting and running ones by id, and says false for unknown or ended ones", async () => {
    const client = await clientOf(current);
    const [running, waiting] = [await client.submit(sleeping(30)), await client.submit(sleeping(30))];
    await isRunning(client, running);
    const cancel = async (id: string) => (await client.post(`/api/jobs/${id}/cancel`, "")).json["cancelled"];
    assert.deepEqual([await cancel(waiting), await cancel(running), await cancel(randomUUID())], [true, true, false]);
    await client.ended(running);
    assert.equal(await cancel(running), false);
    const job = recordOf(await (await client.get(`/api/jobs/${running}`)).json());
    assert.equal(job["status"], "cancelled");
    assert.equal((await client.get(`/api/jobs/${waiting}`)).status, 404);
  });

  test("cancels many at once, refuses invalid ids, and accepts unknown ones", async () => {
    const client = await clientOf(current);
    const id = await client.submit(sleeping(30));
    await isRunning(client, id);
    const wrong = await client.post("/api/jobs/cancel", { job_ids: [id, "nonsense"] });
    assert.equal(wrong.status, 400);
    assert.deepEqual(wrong.json["invalid_ids"], ["nonsense"]);
    assert.equal((await client.post("/api/jobs/cancel", { job_ids: "all" })).status, 400);
    assert.deepEqual((await client.post("/api/jobs/cancel", { job_ids: [randomUUID(), id] })).json, {
      cancelled: true,
    });
    await client.ended(id);
    assert.deepEqual((await client.post("/api/jobs/cancel", { job_ids: [id] })).json, { cancelled: false });
    const list = recordOf(await (await client.get("/api/jobs?status=cancelled")).json());
    assert.ok(Array.isArray(list["jobs"]) && list["jobs"].length > 0);
  });

  test("are missing in the older version, which shows credentials in its queue where the newer hides them", async () => {
    assert.equal((await fetch(`${old.url}/api/jobs/${randomUUID()}/cancel`, { method: "POST" })).status, 404);
    assert.equal((await fetch(`${old.url}/api/jobs`)).status, 404);
    for (const [application, isShown] of [
      [old, true],
      [current, false],
    ] as const) {
      const client = await clientOf(application);
      const id = await client.submit(sleeping(30), { extra_data: { api_key_partner: "SECRET" } });
      await isRunning(client, id);
      assert.equal(JSON.stringify(await queueOf(client)).includes("SECRET"), isShown);
      await client.post("/interrupt", { prompt_id: id });
      await client.ended(id);
      assert.equal(JSON.stringify(await client.history(id)).includes("SECRET"), false);
    }
  });
});

describe("sockets", () => {
  test("the newest socket of a name gets everything, the older stays open and gets nothing", async () => {
    const first = await clientOf(old, "twice");
    const second = await clientOf(old, "twice");
    const from = first.heard.length;
    const id = await second.submit(sleeping(0));
    await second.ended(id);
    assert.equal(first.heard.length, from);
    assert.equal(first.isOpen, true);
  });

  test("when the older one closes, the name is forgotten with it", async () => {
    const first = await clientOf(old, "stolen");
    const second = await clientOf(old, "stolen");
    const open = old.stats.socketsOpen;
    first.close();
    await until(() => old.stats.socketsOpen < open);
    const from = second.heard.length;
    await second.stored(await second.submit(sleeping(0)));
    assert.equal(second.heard.length, from);
    assert.equal(second.isOpen, true);
  });

  test("a client that connects while its prompt runs learns which node it is, without the prompt's id", async () => {
    const client = await clientOf(old);
    const id = await client.submit(sleeping(30));
    await isRunning(client, id);
    const late = await clientOf(old, client.clientId);
    assert.deepEqual(late.of("executing")[0], { node: "2" });
    await late.post("/interrupt", { prompt_id: id });
    await late.ended(id);
  });

  test("a prompt without a client is announced to nobody", async () => {
    const client = await clientOf(old);
    const { json } = await client.post("/prompt", { prompt: sleeping(0) });
    await client.stored(String(json["prompt_id"]));
    assert.deepEqual(client.of("executing"), []);
  });

  test("a client that declared nothing gets previews without an owner", async () => {
    const client = new ApplicationClient(current.url, "plain");
    clients.push(await client.connect({ flags: false }));
    const graph = {
      "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 9 } },
      "2": { class_type: "SaveImageWebsocket", inputs: { images: ["1", 0] } },
    };
    await client.ended(await client.submit(graph));
    await client.ended(await client.submit(graph));
    assert.deepEqual(
      client.previews.map((frame) => [frame.readUInt32BE(0), frame.readUInt32BE(4), frame.toString("latin1", 9, 12)]),
      Array(2).fill([1, 2, "PNG"]),
      "and gets them again when the same graph runs again",
    );
  });
});

describe("files and facts", () => {
  test("a saved file is read whole, in part, and not beyond its end; names never lead outside", async () => {
    const client = await clientOf(current);
    const graph = {
      "1": { class_type: "TestFile", inputs: { bytes: 737, extension: "svg", key: "3d", filename_prefix: "a/b/file" } },
      "2": {
        class_type: "TestFile",
        inputs: { bytes: 5, extension: "bin", key: "files", filename_prefix: "日本/光 😀" },
      },
    };
    const entry = await client.stored(await client.submit(graph));
    assert.deepEqual(recordOf(entry["outputs"])["1"], {
      "3d": [{ filename: "file_00001_.svg", subfolder: "a/b", type: "output" }],
    });
    assert.deepEqual(recordOf(entry["outputs"])["2"], {
      files: [{ filename: "光 😀_00001_.bin", subfolder: "日本", type: "output" }],
    });
    const view = (query: string, range?: string) => client.get(`/view?${query}`, range ? { range } : {});
    const address = "filename=file_00001_.svg&subfolder=a/b&type=output";
    const whole = await view(address);
    assert.equal((await whole.arrayBuffer()).byteLength, 737);
    assert.equal(whole.headers.get("content-disposition"), 'attachment; filename="file_00001_.svg"');
    const odd = await view(`${new URLSearchParams({ filename: "光 😀_00001_.bin", subfolder: "日本" })}`);
    assert.deepEqual([odd.status, (await odd.arrayBuffer()).byteLength], [200, 5]);
    const part = await view(address, "bytes=0-3");
    assert.deepEqual([part.status, part.headers.get("content-range")], [206, "bytes 0-3/737"]);
    assert.equal((await part.arrayBuffer()).byteLength, 4);
    const beyond = await view(address, "bytes=900-");
    assert.deepEqual([beyond.status, beyond.headers.get("content-range")], [416, "bytes */737"]);
    const statuses = async (...queries: string[]) =>
      Promise.all(queries.map(async (query) => (await view(query)).status));
    assert.deepEqual(
      await statuses("filename=none.png", "filename=../x", "filename=/etc/passwd", "filename=x&subfolder=../..", ""),
      [404, 400, 400, 403, 404],
    );
  });

  test("classes, machine, features and models are served, bare and under /api", async () => {
    const client = await clientOf(current);
    const json = async (path: string) => recordOf(await (await client.get(path)).json());
    const classes = await json("/api/object_info");
    assert.ok(Object.hasOwn(classes, "EmptyImage") && Object.hasOwn(classes, "TestSleep"));
    assert.deepEqual(Object.keys(await json("/object_info/EmptyImage")), ["EmptyImage"]);
    assert.deepEqual(await json("/object_info/Nope"), {});
    assert.deepEqual(Object.keys(await json("/system_stats")), ["system", "devices"]);
    assert.equal((await json("/features"))["supports_preview_metadata"], true);
    assert.deepEqual(await (await client.get("/models")).json(), ["checkpoints", "loras", "vae"]);
    assert.equal((await client.get("/models/..%2f..")).status, 404);
    assert.deepEqual(await json("/prompt"), { exec_info: { queue_remaining: 0 } });
    assert.equal((await client.get("/nothing")).status, 404);
  });

  test("a page of another origin gets an empty 403, a foreign Host gets no answer", async () => {
    const status = async (headers: Record<string, string>, url = current.url) =>
      new Promise<number>((resolve, reject) => {
        const asked = call(`${url}/queue`, { headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        asked.on("error", reject);
        asked.end();
      });
    assert.equal(await status({ origin: "http://evil.example" }), 403);
    assert.equal(await status({ origin: current.url }), 200);
    assert.equal(await status({ host: "evil.example" }), 421);
    assert.equal(await status({ "sec-fetch-site": "cross-site" }), 403);
    assert.equal(await status({ "sec-fetch-site": "cross-site" }, old.url), 200);
    const client = new ApplicationClient(current.url, "page");
    await assert.rejects(client.connect({ headers: { origin: "http://evil.example" } }), /403/);
  });
});

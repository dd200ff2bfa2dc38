import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { ApplicationClient, recordOf, until } from "../../test/support/application-client.ts";
import { noFaults } from "./faults.ts";
import { type RunningSandboxApplication, startSandboxApplication } from "./start-application.ts";

let home: string;
let application: RunningSandboxApplication;
const clients: ApplicationClient[] = [];

before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-application-"));
  application = await startSandboxApplication({ home });
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  application.setFaults(noFaults);
});

after(async () => {
  await application.close();
  await rm(home, { recursive: true, force: true });
});

async function connected(): Promise<ApplicationClient> {
  const client = await new ApplicationClient(application.url, randomUUID()).connect();
  clients.push(client);
  return client;
}

const graph = (seconds: number) => ({
  "1": { class_type: "TestSleep", inputs: { value: randomUUID(), seconds } },
  "2": {
    class_type: "TestFile",
    inputs: { value: ["1", 0], bytes: 3, extension: "bin", key: "files", filename_prefix: "f" },
  },
});
const running = (client: ApplicationClient, id: string) =>
  until(() => client.of("progress").some((data) => data["prompt_id"] === id));

test("switches are set over HTTP, unknown ones are refused, and all are reset at once", async () => {
  const client = await connected();
  assert.equal((await client.post("/sandbox/faults", { slowMs: 1, garbage: "none" })).json["slowMs"], 1);
  assert.equal((await client.post("/sandbox/faults", { slow: 1 })).status, 400);
  assert.equal((await client.post("/sandbox/faults", { now: "explode" })).status, 400);
  assert.equal(application.faults.slowMs, 1);
  const answer = await fetch(`${application.url}/sandbox/faults`, { method: "DELETE" });
  assert.deepEqual(await answer.json(), noFaults);
});

test("dropped sockets close without a close frame, and the prompt goes on", async () => {
  const client = await connected();
  const id = await client.submit(graph(0.3));
  await running(client, id);
  await client.post("/sandbox/faults", { now: "drop_sockets" });
  await until(() => !client.isOpen);
  assert.equal(recordOf((await client.stored(id))["status"])["status_str"], "success");
  application.setFaults({ dropsSocketAfterFrames: 3 });
  const short = await connected();
  await short.submit(graph(0));
  await until(() => !short.isOpen);
});

test("a restart forgets queue and history and numbers, but no file", async () => {
  const client = await connected();
  const done = await client.submit(graph(0));
  const outputs = recordOf((await client.stored(done))["outputs"]);
  const [long, waiting] = [await client.submit(graph(60)), await client.submit(graph(0))];
  await running(client, long);
  await application.restart(50);
  await until(() => !client.isOpen);
  for (const id of [done, long, waiting]) assert.deepEqual(await client.history(id), {});
  const queue = recordOf(await (await client.get("/queue")).json());
  assert.deepEqual(queue, { queue_running: [], queue_pending: [] });
  const files = recordOf(outputs["2"])["files"];
  const file = recordOf(Array.isArray(files) ? files[0] : null);
  assert.equal((await client.get(`/view?filename=${file["filename"]}&type=output`)).status, 200);
  const { json } = await client.post("/prompt", { prompt: graph(0) });
  assert.equal(json["number"], 0);
  const again = recordOf((await client.stored(String(json["prompt_id"])))["outputs"]);
  assert.notDeepEqual(again, outputs, "the counter goes on");
});

test("a crash in the middle of a job is a restart, once", async () => {
  const client = await connected();
  application.setFaults({ crashesMidJob: true });
  const { restarts } = application.stats;
  await client.submit(graph(60)).catch(() => {});
  await until(() => application.stats.restarts === restarts + 1);
  await until(async () => (await client.get("/queue").catch(() => null))?.status === 200);
  assert.equal(application.faults.crashesMidJob, false);
  await client.stored(await client.submit(graph(0)));
});

test("history is lost, answers are slow or nonsense, as switched", async () => {
  const client = await connected();
  application.setFaults({ losesHistory: true });
  const lost = await client.submit(graph(0));
  await client.ended(lost);
  assert.deepEqual(await client.history(lost), {});
  application.setFaults({ losesHistory: false, garbage: "broken_json" });
  assert.equal((await client.get("/queue")).status, 200);
  await assert.rejects(client.get("/queue").then((answer) => answer.json()));
  application.setFaults({ garbage: "html" });
  assert.equal((await client.get("/history")).status, 502);
  application.setFaults({ garbage: "wrong_shape" });
  assert.ok(Array.isArray(await (await client.get("/object_info")).json()));
  application.setFaults({ garbage: "none", slowMs: 80 });
  const asked = client.get("/queue").then(() => "answered");
  const timer = new Promise((resolve) => setTimeout(() => resolve("still waiting"), 20));
  assert.equal(await Promise.race([asked, timer]), "still waiting");
  assert.equal(await asked, "answered");
});

test("nonsense on the socket comes between real messages", async () => {
  const client = await connected();
  application.setFaults({ garbage: "frames" });
  await client.ended(await client.submit(graph(0)));
  assert.ok(client.of("nonsense").length > 0 && client.previews.length > 0);
});

test("a flood: a hundred progress messages a second, with previews of any size", async () => {
  const client = await connected();
  application.setFaults({ progressPerSecond: 100, previewBytes: 200_000 });
  // A busy machine skips some, so we retry with more time.
  const heardIn = async (seconds: number) => {
    const before = client.of("progress").length;
    await client.ended(await client.submit(graph(seconds)));
    return client.of("progress").length - before;
  };
  const first = await heardIn(0.5);
  assert.ok(first >= 40 || (await heardIn(5)) >= 40, String(first));
  assert.ok(client.previews.every((frame) => frame.length > 200_000));
});

test("messages about foreign prompts come beside the real ones or in their place", async () => {
  const client = await connected();
  application.setFaults({ wrongPromptIds: "beside" });
  const id = await client.submit(graph(0));
  await client.ended(id);
  const named = client.of("execution_start").map((data) => data["prompt_id"]);
  assert.equal(named.length, 2);
  assert.ok(named.includes(id));
  application.setFaults({ wrongPromptIds: "instead" });
  const hidden = await client.submit(graph(0));
  await client.stored(hidden);
  assert.ok(!JSON.stringify(client.heard).includes(hidden));
});

test("with a latency nothing is computed: every prompt takes that long and leaves a small real file", async () => {
  const quick = await startSandboxApplication({ home: join(home, "quick"), latencyMs: 30 });
  try {
    const client = await new ApplicationClient(quick.url, "quick").connect();
    clients.push(client);
    const picture = {
      "1": { class_type: "EmptyImage", inputs: { width: 512, height: 512, batch_size: 1, color: 0 } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "q" } },
    };
    const ids = [await client.submit(picture), await client.submit(picture)];
    for (const id of ids) await client.ended(id);
    assert.deepEqual(
      client.of("execution_cached").map((data) => data["nodes"]),
      [[], []],
    );
    const view = await client.get("/view?filename=q_00002_.png");
    assert.deepEqual([view.status, view.headers.get("content-type")], [200, "image/png"]);
  } finally {
    await quick.close();
  }
});

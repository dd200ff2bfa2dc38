// Hostile graphs, over HTTP against a whole app with one slot: each is refused, or is bounded and fails only itself.
// Meanwhile the app answers others, and an ordinary job runs right after. Nothing here measures time: work that never
// ends on its own shows that it was ended.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import type { Job } from "@atelier/contract";
import { bearer } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

type Graph = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

const save = (from: string) => ({ class_type: "SaveImage", inputs: { images: [from, 0], filename_prefix: "a" } });
const look = (from: string) => ({ class_type: "PreviewAny", inputs: { source: [from, 0] } });
const empty = (side: number, batch_size = 1) => ({
  class_type: "EmptyImage",
  inputs: { width: side, height: side, batch_size, color: 7 },
});
const switches = { case_insensitive: false, multiline: false, dotall: false };
const ordinary: Graph = { "1": empty(16), "2": save("1") };
// Each pattern tries some 250 parts at each of a million positions, and the engine handles nothing else meanwhile:
// together they take many times what a job may.
const endless: Graph = {
  "0": { class_type: "PrimitiveString", inputs: { value: "a".repeat(1_000_000) } },
  ...Object.fromEntries(
    [1, 3, 5, 7].flatMap((id) => [
      [
        id,
        { class_type: "RegexMatch", inputs: { string: ["0", 0], regex_pattern: `(?:a?){${250 - id}}b`, ...switches } },
      ],
      [id + 1, look(String(id))],
    ]),
  ),
};

function chain(length: number, step: (from: string) => Graph[string]): Graph {
  const graph: Graph = { "0": empty(16) };
  for (let at = 1; at < length; at++) graph[String(at)] = step(String(at - 1));
  return graph;
}

const invert = (from: string) => ({ class_type: "ImageInvert", inputs: { image: [from, 0] } });

function wide(count: number): Graph {
  const graph: Graph = { "0": empty(8) };
  for (let at = 1; at < count; at++) graph[String(at)] = { class_type: "PreviewImage", inputs: { images: ["0", 0] } };
  return graph;
}

// Each node holds twice as much as the one before.
function doubling(levels: number): Graph {
  const graph: Graph = {
    "0": { class_type: "StringConcatenate", inputs: { string_a: "boom", string_b: "boom", delimiter: "" } },
  };
  for (let at = 1; at < levels; at++) {
    const from = [String(at - 1), 0];
    graph[String(at)] = {
      class_type: "StringConcatenate",
      inputs: { string_a: from, string_b: from, delimiter: "" },
    };
  }
  return { ...graph, end: look(String(levels - 1)) };
}

// A 1-bit PNG, all zero, in very few bytes.
function packedPicture(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * 64));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

describe("graph bombs", { timeout: 900_000 }, () => {
  let app: TestApp;
  before(async () => {
    app = await testApp({
      env: { ATELIER_ENGINE_SLOTS: "1", ATELIER_JOB_SECONDS_MAX: "8", ATELIER_JOB_MEMORY_MEGABYTES_MAX: "256" },
    });
  });
  after(() => app.close());

  const submit = (workflow: Graph) =>
    app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow } });
  const jobOf = (answer: { bytes: Buffer }): Job => JSON.parse(answer.bytes.toString());
  const read = async (id: string) => jobOf(await app.call({ path: `/api/v2/jobs/${id}`, headers: bearer(app.key) }));

  async function accepted(workflow: Graph): Promise<Job> {
    const answer = await submit(workflow);
    assert.equal(answer.status, 201, answer.bytes.toString().slice(0, 500));
    return jobOf(answer);
  }

  const ended = (id: string) =>
    until(
      `${id} ends`,
      async () => {
        const job = await read(id);
        return job.completed_at === null ? null : job;
      },
      60,
    );

  // Ends as it must while the app keeps answering others, and the next ordinary job runs.
  async function harmless(workflow: Graph, codes: readonly (string | undefined)[]): Promise<void> {
    const { id } = await accepted(workflow);
    let answers = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        assert.equal((await app.call({ path: "/api/v2/health" })).status, 200);
        answers += 1;
        await sleep(25);
      }
    })();
    const job = await ended(id);
    isOver = true;
    await others;
    assert.ok(codes.includes(job.error?.code), `${job.status} ${JSON.stringify(job.error)}`);
    assert.ok(answers > 0);
    const next = await ended((await accepted(ordinary)).id);
    assert.deepEqual([next.status, next.error], ["succeeded", null]);
  }

  test("more than 10,000 nodes are refused; 10,000, or a chain of 5,000, fail nobody else", async () => {
    const refused = await submit(wide(10_001));
    assert.equal(refused.status, 422);
    assert.match(refused.bytes.toString(), /too many nodes/);
    await harmless({ ...chain(4_999, invert), end: save("4998") }, [undefined, "out_of_memory", "timed_out"]);
    await harmless(wide(10_000), [undefined, "out_of_memory", "timed_out"]);
  });

  test("ten thousand invalid nodes are refused with a bounded answer", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at, { class_type: "No", inputs: {} }]));
    const answer = await submit(wrong);
    assert.equal(answer.status, 422);
    assert.ok(answer.bytes.byteLength < 256 * 1024);
    const ring = { ...chain(5_000, invert), "0": invert("4999"), end: save("4999") };
    assert.equal((await submit(ring)).status, 422, "a ring of 5,000 is found");
  });

  test("a canvas of terabytes, and text that doubles sixty times, fail only their own job", async () => {
    await harmless({ "1": empty(16_384, 4_096), "2": save("1") }, ["out_of_memory"]);
    await harmless(doubling(60), ["out_of_memory", "node_execution_error", "engine_crashed"]);
  });

  test("a small file with a huge picture fails only the job that loads it", async () => {
    const form = new FormData();
    form.set("content_type", "image/png");
    form.set("file_path", "bomb.png");
    form.set("file", new Blob([new Uint8Array(packedPicture(30_000))]), "bomb.png");
    const headers = { authorization: `Bearer ${app.key}` };
    const uploaded = await fetch(`${app.baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
    assert.equal(uploaded.status, 201);
    const { id } = (await uploaded.json()) as { id: string };
    const image = { __type: "core/ASSET", info: { id } };
    await harmless({ "1": { class_type: "LoadImage", inputs: { image } }, "2": save("1") }, [
      "out_of_memory",
      "node_execution_error",
    ]);
  });

  test("a node that never ends is stopped by the time limit", async () => {
    await harmless(endless, ["timed_out"]);
  });

  test("a cancel ends a job in the middle of a node that never ends, and frees its slot", async () => {
    const { id } = await accepted(endless);
    const inNode = (job: Job) => job.progress?.current_node === "1";
    await until("it is in the node", async () => inNode(await read(id)));
    const waiting = await accepted(ordinary);
    const asked = await app.call({ method: "POST", path: `/api/v2/jobs/${id}/cancel`, headers: bearer(app.key) });
    assert.equal(jobOf(asked).status, "canceling");
    const [job, next] = await Promise.all([ended(id), ended(waiting.id)]);
    // Only a cancel ends it like this: the time limit would have made it fail.
    assert.deepEqual([job.status, job.error, next.status], ["canceled", null, "succeeded"]);
  });
});

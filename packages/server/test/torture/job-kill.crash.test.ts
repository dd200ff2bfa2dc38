// The crash smoke of jobs; `npm run torture:jobs` is the long one. The only server is killed while a model that a node
// asked for works, so between the call and the save, and while another job is in the middle of a node.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { Job } from "@atelier/contract";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { attemptsOfJobs, callsOfJobs } from "../support/job-books-store.ts";
import { allInvocations } from "../support/router-books-store.ts";
import { until } from "../support/server-process.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";

let world: RouterWorld;
before(async () => {
  world = await routerWorld({ ATELIER_JOB_LEASE_SECONDS: "4", ATELIER_ENGINE_SLOTS: "2" });
});
after(() => world.close());

const save = (from: string) => ({ class_type: "SaveImage", inputs: { images: [from, 0], filename_prefix: "kept" } });
const paying = {
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1-queued",
      prompt: "kept",
      width: 64,
      height: 64,
      seed: 1,
      parameters: '{"response_format": "b64_json", "simulate_seconds": 10}',
    },
  },
  "2": save("1"),
};
// Seconds of work: on a busy machine the kill must still come in the middle of it.
const busy = {
  "1": { class_type: "EmptyImage", inputs: { width: 2048, height: 2048, batch_size: 4, color: 7 } },
  "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 8 } },
  "3": save("2"),
};

async function ask(server: RouterServer, path: string, more: { body?: object; key?: string } = {}) {
  const headers = { ...bearer(world.key), ...(more.key === undefined ? {} : { "idempotency-key": more.key }) };
  const method = more.body === undefined ? "GET" : "POST";
  const answer = await server.client.call({ method, path, headers, ...(more.body ? { body: more.body } : {}) });
  return { status: answer.status, body: JSON.parse(answer.bytes.toString()) };
}

async function submit(server: RouterServer, workflow: object): Promise<{ id: string; key: string }> {
  const key = randomUUID();
  const { status, body } = await ask(server, "/api/v2/jobs", { body: { workflow }, key });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.id, key };
}

const read = async (server: RouterServer, id: string): Promise<Job> => (await ask(server, `/api/v2/jobs/${id}`)).body;

test("kill -9 between a node's model call and its save, and in the middle of another job: both end once, one run, one charge", {
  timeout: 300_000,
}, async () => {
  const { database, provider } = world;
  const first = await world.start();
  const atModel = await submit(first, paying);
  const called = await until("the model works", async () => {
    const [call] = await allInvocations(database);
    const seen = call ? await provider.reference(call.callId) : null;
    return call && seen?.status === "RUNNING" ? call : null;
  });
  const inNode = await submit(first, busy);
  const waiting = await submit(first, { ...busy, "3": save("1") });
  await until("the other job runs", async () => (await read(first, inNode.id)).status === "running");
  await first.kill();

  const second = await world.start();
  const submitted = [atModel, inNode, waiting];
  for (const { id, key } of submitted) {
    const job = await until(`${id} ends`, async () => {
      const found = await read(second, id);
      return found.completed_at === null ? null : found;
    });
    assert.deepEqual([job.status, job.error], ["succeeded", null], id);
    assert.ok(job.outputs.length >= 1);
    const found = await ask(second, `/api/v2/jobs?idempotency_key=${key}`);
    assert.deepEqual(
      found.body.data.map((one: Job) => one.id),
      [id],
    );
  }
  const [call, ...more] = await allInvocations(database);
  assert.deepEqual([more, call?.callId], [[], called.callId]);
  assert.deepEqual([call?.state, call?.settleLines], ["finished", 1]);
  assert.ok(call && call.settleSum > 0n && call.settleSum <= call.hold);
  assert.equal((await provider.reference(call.callId))?.runs, 1);
  assert.deepEqual([...(await callsOfJobs(database))], [[atModel.id, { calls: 1, charged: 1 }]]);
  assert.deepEqual(await attemptsOfJobs(database), { retried: 2, lost: 2 });
  for (const { name, statement } of allInvariants) assert.deepEqual(await database.query(statement), [], name);
});

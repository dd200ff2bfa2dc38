// The crash smoke test of jobs; `npm run torture -- jobs` is the long one. The only server is killed while models called
// by nodes are working, so between the call and the save, and while another job is in the middle of a node. One model's
// provider survives and can be asked, one survives and cannot be asked, and one is the server's own sandbox and dies with
// it.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { Job } from "@atelier/contract";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { attemptsOfJobs, callsOfJobs } from "../support/job-records-store.ts";
import { allInvocations } from "../support/router-records-store.ts";
import { until } from "../support/server-process.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";

let world: RouterWorld;
let providers: Record<string, string>;
before(async () => {
  world = await routerWorld({ ATELIER_JOB_LEASE_SECONDS: "4", ATELIER_ENGINE_SLOTS: "4" });
  const { definition, write } = world.provider;
  const [askable, direct] = ["image-1-queued", "image-1"].map((name) =>
    definition.models.find((m) => m.model === name),
  );
  assert.ok(askable && direct?.ask);
  const { ask: _, ...mute } = { ...direct, recovery: "neither" as const };
  providers = {
    ATELIER_SANDBOX: "on",
    ATELIER_PROVIDERS: await write("outside", { ...definition, provider: "outside", models: [askable, mute] }),
  };
});
after(() => world.close());

const save = (from: string) => ({ class_type: "SaveImage", inputs: { images: [from, 0], filename_prefix: "kept" } });
const picture = (model: string, seconds: number) => ({
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      model,
      prompt: "kept",
      width: 64,
      height: 64,
      seed: 1,
      parameters: JSON.stringify({ response_format: "b64_json", simulate_seconds: seconds }),
    },
  },
  "2": save("1"),
});
// Seconds of work, so that even on a busy machine the kill comes in the middle of it.
const busy = {
  "1": { class_type: "EmptyImage", inputs: { width: 2048, height: 2048, batch_size: 2, color: 7 } },
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

test("kill -9 between a node's model call and its save, and in the middle of another job: each ends once, one run, one charge", {
  timeout: 900_000,
}, async () => {
  const { database, provider } = world;
  const first = await world.start(providers);
  const newCall = async (known: ReadonlySet<string>): Promise<string> => {
    const found = async () => (await allInvocations(database)).find(({ callId }) => !known.has(callId))?.callId ?? null;
    return until("the call has begun", found);
  };
  const atWork = async (model: string, seconds: number, known: readonly string[]) => {
    const job = await submit(first, picture(model, seconds));
    const callId = await newCall(new Set(known));
    await until("the model works", async () => (await provider.reference(callId))?.status === "RUNNING");
    return { ...job, callId };
  };
  const atMute = await atWork("outside/image-1", 60, []);
  const atModel = await atWork("outside/image-1-queued", 15, [atMute.callId]);
  const inSandbox = await submit(first, picture("sandbox/image-1", 6));
  const atOwn = { ...inSandbox, callId: await newCall(new Set([atMute.callId, atModel.callId])) };
  const inNode = await submit(first, busy);
  const waiting = await submit(first, { ...busy, "3": save("1") });
  await until("the other job runs", async () => (await read(first, inNode.id)).status === "running");
  await first.kill();

  const second = await world.start(providers);
  const endOf = async ({ id, key }: { id: string; key: string }): Promise<Job> => {
    const ended = async () => {
      const found = await read(second, id);
      return found.completed_at === null ? null : found;
    };
    const job = await until(`${id} ends`, ended);
    const found = await ask(second, `/api/v2/jobs?idempotency_key=${key}`);
    assert.deepEqual(
      found.body.data.map((one: Job) => one.id),
      [id],
    );
    return job;
  };
  const mute = await endOf(atMute);
  assert.deepEqual([mute.status, mute.error?.code, mute.error?.node_id], ["failed", "model_call_failed", "1"]);
  assert.match(mute.error?.message ?? "", /^We don't know whether the provider ran this call\. Nothing was charged\./);
  for (const submitted of [atModel, atOwn, inNode, waiting]) {
    const job = await endOf(submitted);
    assert.deepEqual([job.status, job.error], ["succeeded", null], job.id);
    assert.ok(job.outputs.length >= 1);
  }
  // Its process is provably dead, so the call is closed as unknown without waiting out a quarantine.
  const calls = await until("the unknown call is closed", async () => {
    const all = new Map((await allInvocations(database)).map((call) => [call.callId, call]));
    return all.get(atMute.callId)?.state === "open" ? null : all;
  });
  const [paid, lost, unknown] = [atModel, atOwn, atMute].map(({ callId }) => calls.get(callId));
  assert.equal(calls.size, 4, "only what was lost with its provider was asked for again");
  assert.deepEqual([paid?.state, paid?.settleLines], ["finished", 1]);
  assert.ok(paid && paid.settleSum > 0n && paid.settleSum <= paid.hold);
  assert.deepEqual(
    [lost?.outcome, lost?.settled, unknown?.state, unknown?.settled],
    ["provider gone", 0n, "unknown", 0n],
  );
  for (const { callId } of [atModel, atMute]) assert.equal((await provider.reference(callId))?.runs, 1);
  assert.deepEqual(
    await callsOfJobs(database),
    new Map([
      [atModel.id, { calls: 1, charged: 1 }],
      [atOwn.id, { calls: 1, charged: 0 }],
      [atMute.id, { calls: 1, charged: 0 }],
    ]),
  );
  // More than once if the machine is so busy that a worker believes itself lost.
  const { retried, lost: lostTimes } = await attemptsOfJobs(database);
  assert.ok(retried >= 4 && lostTimes >= 4, `${retried} jobs were begun again, ${lostTimes} workers lost`);
  for (const { name, statement } of allInvariants) assert.deepEqual(await database.query(statement), [], name);
});

// Streams cut off at random points: after each cut one GET shows everything that the stream had sent, a client that reconnects
// gets every output once, and the last event matches what polling shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { sharedPool } from "../capabilities/pools/index.ts";
import { aGraph, aWorker, openStream, outputsIn, type StreamEvent, statusesIn, submitTo } from "./jobs.fixture.ts";
import { aClient, aHouse, type Client, type House, textOf, toRecord } from "./surfaces.fixture.ts";

let house: House;
let client: Client;
before(async () => {
  house = await aHouse();
  client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
});
after(async () => {
  await client.close();
  await house.close();
});

// Deterministic, so that a failure can be reproduced.
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const ranks = ["queued", "running", "canceling", "succeeded"];
const cutsMin = 500;
const readers = 16;

async function readerOf(job: Record<string, unknown>, seed: number, onCut: () => void): Promise<StreamEvent[]> {
  const random = randomFrom(seed);
  const urls = toRecord(job["urls"]);
  const target = new URL(textOf(urls["events"]), `http://127.0.0.1:${house.cloudPort}`).href;
  const events: StreamEvent[] = [];
  for (;;) {
    const stream = await openStream(target, { "x-api-key": house.key }, events.at(-1)?.id);
    await wait(random() * 30);
    stream.cut();
    onCut();
    events.push(...stream.events);
    const read = (await client.ask(textOf(urls["self"]))).json();
    assert.ok(Array.isArray(read["outputs"]));
    const shown = read["outputs"].map((output) => toRecord(output)["name"]);
    for (const name of outputsIn(events)) assert.ok(shown.includes(name), `a read shows ${name}`);
    const lastSent = String(statusesIn(events).at(-1));
    assert.ok(ranks.indexOf(String(read["status"])) >= ranks.indexOf(lastSent), `${read["status"]} after ${lastSent}`);
    if (lastSent === "succeeded") return events;
  }
}

test("readers of a busy job that are cut off at 500 random points lose nothing and get no output twice", {
  timeout: 900_000,
}, async () => {
  let cuts = 0;
  const onCut = () => {
    cuts += 1;
  };
  const job = (await submitTo(client, { workflow: aGraph() })).json();
  const reading = Promise.all(Array.from({ length: readers }, (_, seed) => readerOf(job, seed + 1, onCut)));
  const run = await aWorker(house, sharedPool).claim(textOf(job["id"]));
  const names = Array.from({ length: 25 }, (_, at) => `${at}.txt`);
  // The job advances along with the cuts, so that they are spread over all of it.
  for (const [at, name] of names.entries()) {
    while (cuts < (cutsMin * at) / names.length) await Promise.race([wait(5), reading]);
    run.progress((at + 1) / 30);
    await run.output(name);
  }
  while (cuts < cutsMin) await Promise.race([wait(5), reading]);
  await run.finish();
  for (const events of await reading) assert.deepEqual(outputsIn(events), names);
  const last = (await client.ask(textOf(toRecord(job["urls"])["self"]))).json();
  assert.equal(last["status"], "succeeded");
});

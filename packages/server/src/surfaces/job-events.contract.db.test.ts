// The event stream of a job, on every surface: a snapshot, then everything once, then the end.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { notInFleet } from "../../test/support/test-fleet.ts";
import { newId } from "../foundation/ids.ts";
import {
  aGraph,
  aWorker,
  clientOf,
  eventually,
  type HandWorker,
  jobSurfaces,
  openStream,
  outputsIn,
  statusesIn,
  submitTo,
} from "./jobs.fixture.ts";
import { aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

for (const [name, different] of Object.entries(jobSurfaces)) {
  describe(`v2 event streams on the ${name} surface`, { timeout: 900_000 }, () => {
    let house: House;
    let client: Client;
    let worker: HandWorker;
    let baseUrl: string;
    const submit = () => submitTo(client, { workflow: aGraph() });
    const post = (target: string) => client.ask(target, { method: "POST" });
    const events = (target: unknown, lastEventId?: string) =>
      openStream(new URL(textOf(target), baseUrl).href, different.credential(house), lastEventId);

    before(async () => {
      house = await aHouse();
      baseUrl = `http://127.0.0.1:${different.port(house)}`;
      client = clientOf(house, different);
      worker = aWorker(house, different.pool(house));
    });
    after(async () => {
      await client.close();
      await house.close();
    });

    test("a stream tells the snapshot, then everything once, outputs before the end, and then ends", async () => {
      const job = (await submit()).json();
      const { events: eventsUrl, preview } = toRecord(job["urls"]);
      const stream = await events(eventsUrl);
      assert.equal(stream.headers["content-type"], "text/event-stream; charset=utf-8");
      assert.deepEqual([stream.headers["cache-control"], stream.headers["x-accel-buffering"]], ["no-store", "no"]);
      await stream.until((sent) => sent.length > 0);
      assert.deepEqual(stream.events[0]?.data, { status: "queued", queue_position: 0 });
      const run = await worker.claim(textOf(job["id"]));
      assert.equal((await client.ask(textOf(preview))).status, 404, "there is none yet");
      const picture = Buffer.from("iVBORw0KGgo=", "base64");
      run.preview(picture);
      run.progress(0.4);
      await stream.until((sent) => ["preview", "progress"].every((each) => sent.some(({ event }) => event === each)));
      const shown = await client.ask(textOf(preview));
      assert.deepEqual([shown.status, shown.headers["content-type"], shown.bytes], [200, "image/png", picture]);
      const late = await events(eventsUrl);
      await late.until((sent) => sent.some(({ event }) => event === "preview"));
      assert.deepEqual(
        late.events.slice(0, 3).map(({ event }) => event),
        ["status", "progress", "preview"],
      );
      await run.output("a.txt");
      await run.output("b.txt");
      await run.finish();
      for (const reader of [stream, late]) {
        await reader.ended();
        assert.deepEqual(outputsIn(reader.events), ["a.txt", "b.txt"]);
        assert.equal(reader.events.at(-1)?.data["status"], "succeeded");
        assert.ok(reader.events.every(({ id }) => /^\d+$/.test(id)));
      }
      assert.deepEqual(statusesIn(stream.events), ["queued", "running", "succeeded"]);
      const sent = stream.events.find(({ event }) => event === "output")?.data;
      const read = (await client.ask(textOf(toRecord(job["urls"])["self"]))).json();
      assert.deepEqual(
        sent,
        Array.isArray(read["outputs"]) ? read["outputs"][0] : null,
        "the event shows what a read shows",
      );
      const over = await events(eventsUrl);
      await over.ended();
      assert.deepEqual([outputsIn(over.events), statusesIn(over.events)], [["a.txt", "b.txt"], ["succeeded"]]);
    });

    test(
      "a stream of no job is 404, and a stream that was cut off gives its place back",
      notInFleet("each process counts the streams of a workspace"),
      async () => {
        for (const id of [newId(), "nonsense"]) {
          const refused = await client.ask(`/api/v2/jobs/${id}/events`);
          assert.deepEqual([refused.status, errorCode(refused)], [404, "not_found"]);
          assert.equal((await client.ask(`/api/v2/jobs/${id}/events`, { method: "HEAD" })).status, 404);
        }
        const job = (await submit()).json();
        const target = toRecord(job["urls"])["events"];
        const head = await client.ask(textOf(target), { method: "HEAD" });
        assert.deepEqual([head.status, head.headers["content-type"]], [200, "text/event-stream; charset=utf-8"]);
        await house.limits.setOverride(house.db, { workspaceId: house.workspaceId, name: "streams", value: 2 });
        await house.limits.drop(house.workspaceId);
        const [one, two] = [await events(target), await events(target)];
        const third = await client.ask(textOf(target));
        assert.deepEqual(
          [third.status, errorCode(third), third.headers["retry-after"]],
          [429, "too_many_streams", "5"],
        );
        one?.cut();
        await eventually(async () => {
          const again = await events(target);
          again.cut();
          return again.status === 200;
        });
        two?.cut();
        await house.limits.resetOverride(house.db, { workspaceId: house.workspaceId, name: "streams" });
        await house.limits.drop(house.workspaceId);
        await post(`/api/v2/jobs/${textOf(job["id"])}/cancel`);
      },
    );

    test("a reader that returns with the last id gets the rest; an unknown id starts over", async () => {
      const job = (await submit()).json();
      const target = toRecord(job["urls"])["events"];
      const run = await worker.claim(textOf(job["id"]));
      await run.output("a.txt");
      const first = await events(target);
      await first.until((sent) => outputsIn(sent).length === 1);
      first.cut();
      await run.output("b.txt");
      const second = await events(target, first.events.at(-1)?.id);
      await second.until((sent) => outputsIn(sent).length === 1);
      assert.deepEqual(outputsIn(second.events), ["b.txt"]);
      for (const id of ["nonsense", "999999", "-1"]) {
        const reopened = await events(target, id);
        await reopened.until((sent) => outputsIn(sent).length === 2);
        reopened.cut();
      }
      await run.finish();
      await second.ended();
      const third = await events(target, second.events.at(-1)?.id);
      await third.ended();
      assert.deepEqual([outputsIn(third.events), statusesIn(third.events)], [[], ["succeeded"]]);
    });

    test("a waiting job says how many are ahead of it", async () => {
      const [first, second] = [(await submit()).json(), (await submit()).json()];
      const stream = await events(toRecord(second["urls"])["events"]);
      await stream.until((sent) => sent[0]?.data["queue_position"] === 1);
      await (await worker.claim(textOf(first["id"]))).finish();
      await stream.until((sent) => sent.some(({ data }) => data["queue_position"] === 0));
      await post(textOf(toRecord(second["urls"])["cancel"]));
      await stream.ended();
      assert.equal(statusesIn(stream.events).at(-1), "canceled");
    });
  });
}

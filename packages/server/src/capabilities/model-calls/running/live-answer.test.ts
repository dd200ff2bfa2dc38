import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { createLiveDelivery } from "./live-answer.ts";

const line = (bytes: number) => Buffer.from(`data: ${"x".repeat(bytes - 7)}\n`);

async function begun() {
  const clock = handClock();
  const delivery = createLiveDelivery(clock);
  delivery.reader.begins("text/event-stream");
  return { clock, delivery, live: await delivery.begun };
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const ok = { status: 200, headers: { "x-service-credits-used": "1.5" }, body: Buffer.alloc(0) };

describe("a streamed answer on its way to its caller", () => {
  test("it ends when the call is settled, and only then has its cost", async () => {
    const { delivery, live } = await begun();
    delivery.reader.lines(line(20));
    assert.deepEqual(live.trailers(), {});
    delivery.settled(ok);
    assert.equal(await textOf(live.body), line(20).toString());
    assert.deepEqual(live.trailers(), { "x-service-credits-used": "1.5" });
  });

  test("a caller that does not read makes the provider wait, and goes on where it stopped", async () => {
    const { delivery, live } = await begun();
    const taken = delivery.reader.lines(line(100_000));
    assert.ok(taken instanceof Promise);
    live.body.read();
    await taken;
    assert.equal(live.body.destroyed, false);
  });

  test("a caller that takes nothing for half a minute is cut off, and the provider is read on", async () => {
    const { clock, delivery, live } = await begun();
    const taken = delivery.reader.lines(line(100_000));
    await clock.advance(29_999);
    assert.equal(live.body.destroyed, false);
    await clock.advance(1);
    await taken;
    assert.equal(live.body.destroyed, true);
    assert.equal(delivery.reader.lines(line(100_000)), undefined);
    delivery.settled(ok);
  });

  test("a call that fails after its first byte ends with an error event in the router's words", async () => {
    const failed = await begun();
    failed.delivery.failed(new Fault("deadline_exceeded", "Too late."));
    assert.equal(
      await textOf(failed.live.body),
      'event: error\ndata: {"detail":"Too late.","error_type":"deadline_exceeded"}\n\n',
    );
    const lost = await begun();
    lost.delivery.settled({ status: 502, headers: {}, body: Buffer.from('{"detail":"lost",\n"error_type":"e"}') });
    assert.equal(await textOf(lost.live.body), 'event: error\ndata: {"detail":"lost", "error_type":"e"}\n\n');
    assert.deepEqual(lost.live.trailers(), {});
  });
});

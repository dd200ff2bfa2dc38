import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../ids.ts";
import { type Bus, inProcessBus } from "./bus.ts";
import { sharedTopic, shareOf } from "./shared-topic.ts";

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function counted(): { bus: Bus; subscribed: () => number } {
  const bus = inProcessBus();
  let subscribed = 0;
  return {
    subscribed: () => subscribed,
    bus: {
      ...bus,
      subscribe(topic, receive) {
        const leave = bus.subscribe(topic, receive);
        subscribed += 1;
        return () => {
          subscribed -= 1;
          leave();
        };
      },
    },
  };
}

test("a listener for an id hears of it once, and nobody stays subscribed without a listener", async () => {
  const { bus, subscribed } = counted();
  const got: string[] = [];
  const [here, there] = [
    sharedTopic(bus, "calls.ended", () => assert.fail("what one publishes oneself is known")),
    sharedTopic(bus, "calls.ended", (ids) => got.push(...ids)),
  ];
  const ids = Array.from({ length: 500 }, () => newId());
  const [wanted = ""] = ids;
  here.publish(ids);
  await turn();
  assert.deepEqual([got, subscribed()], [[], 0]);
  const leave = [here.attend(wanted), there.attend(wanted), there.attend(wanted)];
  assert.equal(subscribed(), 2);
  here.publish(ids);
  here.publish([wanted]);
  await turn();
  assert.equal(got.filter((id) => id === wanted).length, 2);
  assert.ok(
    got.every((id) => shareOf(id) === shareOf(wanted)),
    "of other shares nothing comes",
  );
  for (const end of leave) end();
  for (const end of leave) end();
  assert.equal(subscribed(), 0);
});

test("a listener for everything hears everything", async () => {
  const bus = inProcessBus();
  const got = new Set<string>();
  const [here, there] = [
    sharedTopic(bus, "calls.ended", () => undefined),
    sharedTopic(bus, "calls.ended", (ids) => {
      for (const id of ids) got.add(id);
    }),
  ];
  const leave = there.attendAll();
  const ids = Array.from({ length: 1_000 }, () => newId());
  here.publish(ids);
  await turn();
  assert.deepEqual(got, new Set(ids));
  leave();
  here.publish([newId()]);
  await turn();
  assert.equal(got.size, ids.length);
});

test("unknown bus messages are ignored", async () => {
  const bus = inProcessBus();
  const there = sharedTopic(bus, "calls.ended", () => assert.fail("nothing of this is an id"));
  const id = newId();
  there.attend(id);
  for (const message of [
    null,
    1,
    "x",
    [],
    {},
    { from: 1 },
    { from: "a", entries: 1 },
    { from: "a", entries: [1, null] },
  ])
    bus.publish(`calls.ended/${shareOf(id)}`, message);
  await turn();
});

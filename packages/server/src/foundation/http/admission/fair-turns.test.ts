import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../fault.ts";
import { handClock } from "../../hand-clock.fixture.ts";
import { FairTurns, type FairTurnsOptions, type Turn } from "./fair-turns.ts";

function world(options: Partial<FairTurnsOptions> = {}) {
  const clock = handClock();
  const turns = new FairTurns({ clock, turnsMax: 4, ageMsMax: 100, ...options });
  const began: string[] = [];
  const refused: { readonly name: string; readonly fault: Fault }[] = [];
  // Takes a turn and records when it begins, or that it was refused.
  const ask = (flow: string, name = flow): Turn => {
    const turn = turns.turnOf(flow);
    const taken = turn.take();
    if (taken === undefined) began.push(name);
    else
      taken.then(
        () => began.push(name),
        (thrown: unknown) => {
          assert.ok(thrown instanceof Fault);
          refused.push({ name, fault: thrown });
        },
      );
    return turn;
  };
  const askMany = (flow: string, count: number) =>
    Array.from({ length: count }, (_, at) => ask(flow, `${flow} ${at + 1}`));
  return { clock, turns, began, refused, ask, askMany };
}

const round = () => new Promise((resolve) => setImmediate(resolve));

test("one flow has at most half of the turns, and all flows together no more than there are", async () => {
  const { turns, began, askMany } = world();
  askMany("noisy", 10);
  assert.deepEqual(began, ["noisy 1", "noisy 2"]);
  askMany("other", 10);
  assert.deepEqual(began.slice(2), ["other 1", "other 2"]);
  assert.equal(turns.running, 4);
  assert.equal(turns.waiting, 16);
});

test("lines are served in turn: who comes last behind a thousand of another flow is the next but one", async () => {
  const { began, ask, askMany } = world();
  const noisy = askMany("noisy", 1_000);
  askMany("other", 2);
  ask("quiet");
  await round();
  assert.equal(began.length, 4);
  for (const turn of noisy.slice(0, 2)) turn.leave();
  await round();
  assert.deepEqual(new Set(began.slice(4)), new Set(["noisy 3", "quiet"]));
});

test("a lone flow never waits while there is room, whatever others have queued", async () => {
  const { began, ask, askMany } = world();
  askMany("noisy", 100);
  ask("quiet");
  assert.deepEqual(began, ["noisy 1", "noisy 2", "quiet"]);
});

test("in overload a request that is too old is refused with 503 and Retry-After, the oldest first, only in the long line", async () => {
  const { clock, began, refused, ask, askMany } = world({ workMsMax: 1_000_000 });
  askMany("one", 3);
  askMany("two", 3);
  await clock.advance(960);
  askMany("one", 50);
  askMany("two", 50);
  await clock.advance(30);
  assert.equal(refused.length, 0);
  ask("quiet");
  // By now the queues have not been empty for a second, and the later requests have waited for a tenth of that.
  await clock.advance(90);
  await round();
  assert.deepEqual(
    refused.map(({ name }) => name).filter((name) => name.startsWith("one")),
    // The last one is alone in its queue, and gets more time.
    ["one 3", ...Array.from({ length: 49 }, (_, at) => `one ${at + 1}`)],
  );
  for (const { fault } of refused) {
    assert.equal(fault.status, 503);
    assert.ok(fault.retryAfterSeconds !== undefined && fault.retryAfterSeconds >= 1 && fault.retryAfterSeconds <= 3);
  }
  await clock.advance(100);
  assert.ok(!refused.some(({ name }) => name === "quiet"));
  assert.ok(!began.includes("quiet"));
});

test("a pause that ends by itself refuses nothing: a long line is given ten times as long while it is young", async () => {
  const { clock, turns, began, refused, askMany } = world();
  for (let pause = 0; pause < 3; pause++) {
    const held = askMany("one", 40);
    await clock.advance(900);
    assert.equal(refused.length, 0);
    for (const turn of held) turn.leave();
    while (turns.waiting > 0) {
      await round();
      for (const turn of held) turn.leave();
    }
    await round();
  }
  assert.equal(began.length, 120);
});

test("nobody waits forever: even a lone request is refused after ten times as long", async () => {
  const { clock, refused, ask, askMany } = world({ workMsMax: 1_000_000 });
  askMany("one", 2);
  askMany("two", 2);
  ask("quiet");
  await clock.advance(990);
  assert.equal(refused.length, 0);
  await clock.advance(30);
  assert.deepEqual(
    refused.map(({ name }) => name),
    ["quiet"],
  );
});

test("a turn that is held for long while somebody waits is given to them", async () => {
  const { clock, turns, began, ask, askMany } = world({ workMsMax: 200 });
  const held = askMany("one", 2);
  askMany("two", 2);
  await clock.advance(10_000);
  assert.equal(turns.running, 4, "nobody waits, so nobody is disturbed");
  ask("quiet");
  await clock.advance(20);
  await round();
  assert.equal(began.at(-1), "quiet");
  held[0]?.leave();
  assert.equal(turns.running, 1);
});

test("when all places in line are taken, the longest line gives up its oldest", async () => {
  const { refused, askMany } = world({ waitingMax: 10 });
  askMany("noisy", 12);
  askMany("other", 2);
  askMany("quiet", 2);
  await round();
  assert.deepEqual(
    refused.map(({ name }) => name),
    ["noisy 3", "noisy 4"],
  );
});

test("a full line refuses new requests at once", async () => {
  const { refused, askMany } = world({ waitingPerFlowMax: 5 });
  askMany("noisy", 9);
  await round();
  assert.deepEqual(
    refused.map(({ name }) => name),
    ["noisy 8", "noisy 9"],
  );
});

test("a turn that is given back is free in the next round, and may be taken again", async () => {
  const { turns, began, ask, askMany } = world();
  const [first] = askMany("noisy", 3);
  first?.leave();
  first?.leave();
  assert.equal(began.length, 2);
  await round();
  assert.deepEqual(began, ["noisy 1", "noisy 2", "noisy 3"]);
  const quiet = ask("quiet");
  quiet.leave();
  assert.equal(quiet.take(), undefined);
  assert.equal(turns.running, 3);
});

test("while connections come, a round begins four and the next one goes on", async () => {
  const { turns, began, askMany } = world({ turnsMax: 100 });
  turns.accepted();
  askMany("noisy", 10);
  assert.equal(began.length, 4);
  await round();
  assert.equal(began.length, 8);
  await round();
  assert.equal(began.length, 10);
});

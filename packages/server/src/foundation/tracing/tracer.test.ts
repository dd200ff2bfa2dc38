import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../hand-clock.fixture.ts";
import { createSampler } from "./sampling.ts";
import type { EndedSpan } from "./span.ts";
import { storedTrace, withTrace } from "./stored-trace.ts";
import { createTracer } from "./tracer.ts";

function aTracer() {
  const clock = handClock();
  const ended: EndedSpan[] = [];
  const sampler = createSampler("parentbased_always_on", 1);
  return { clock, ended, tracer: createTracer({ clock, sampler, ended: (span) => void ended.push(span) }) };
}

const caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("work inside a span belongs to it, even after waiting and beside others", async () => {
  const { tracer, ended } = aTracer();
  const one = (name: string, after: string | null) =>
    tracer.around({ name, kind: "server", after }, async () => {
      await Promise.resolve();
      await tracer.around({ name: `${name} below`, kind: "client" }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
      });
    });
  await Promise.all([one("a", caller), one("b", null)]);
  const named = (name: string) => ended.find((span) => span.name === name) ?? assert.fail(name);
  assert.equal(ended.length, 4);
  assert.equal(named("a").context.traceId, "4bf92f3577b34da6a3ce929d0e0e4736");
  assert.equal(named("a").parentSpanId, "00f067aa0ba902b7");
  assert.equal(named("b").parentSpanId, null);
  for (const name of ["a", "b"]) {
    assert.equal(named(`${name} below`).parentSpanId, named(name).context.spanId);
    assert.equal(named(`${name} below`).context.traceId, named(name).context.traceId);
  }
  assert.notEqual(named("a").context.traceId, named("b").context.traceId);
});

test("work that brings its own trace, or none, never takes that of the code which happens to start it", async () => {
  const { tracer, ended } = aTracer();
  await tracer.around({ name: "request", kind: "server", after: null }, async () => {
    tracer.begin({ name: "claimed", kind: "consumer", after: caller }).end();
    tracer.begin({ name: "old", kind: "consumer", after: null }).end();
    tracer.begin({ name: "unreadable", kind: "consumer", after: "nonsense" }).end();
  });
  const [claimed, old, unreadable, request] = ended;
  assert.equal(claimed?.parentSpanId, "00f067aa0ba902b7");
  assert.deepEqual([old?.parentSpanId, unreadable?.parentSpanId], [null, null]);
  assert.notEqual(old?.context.traceId, request?.context.traceId);
});

test("an unsampled trace is never exported, and is passed on unchanged", async () => {
  const { tracer, ended } = aTracer();
  const unsampled = caller.replace(/1$/, "0");
  await tracer.around({ name: "request", kind: "server", after: unsampled, attributes: { a: 1 } }, async () => {
    assert.match(tracer.here() ?? "", /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
    await tracer.around({ name: "call", kind: "client" }, async () => undefined);
  });
  assert.deepEqual([ended, tracer.here()], [[], null]);
});

test("a span lasts as long as its work, and says when it failed; a second end changes nothing", async () => {
  const { tracer, ended, clock } = aTracer();
  const work = tracer.around(
    { name: "x", kind: "internal", after: null, attributes: { a: 1, b: null } },
    async (span) => {
      await clock.sleep(1_500);
      span.note("c", true);
      throw new TypeError("what a caller sent");
    },
  );
  const failed = assert.rejects(work, TypeError);
  await clock.advance(1_500);
  await failed;
  const [span] = ended;
  assert.equal((span?.endMs ?? 0) - (span?.startMs ?? 0), 1_500);
  assert.deepEqual(
    [...(span?.attributes ?? [])],
    [
      ["a", 1],
      ["c", true],
    ],
  );
  assert.equal(span?.problem, "TypeError", "the message may hold what was sent");
  const other = tracer.begin({ name: "task", kind: "client", after: null, startMs: 1_000 });
  other.end(5_000);
  other.end(9_000);
  assert.deepEqual([ended.length, ended[1]?.startMs, ended[1]?.endMs], [2, 1_000, 5_000]);
});

test("stored work carries its trace, and is unchanged without one", async () => {
  const { tracer } = aTracer();
  const context = { request: true };
  assert.equal(withTrace(null, context), context);
  assert.equal(withTrace(undefined, null), null);
  assert.equal(withTrace(tracer, context), context, "outside of any trace");
  await tracer.around({ name: "x", kind: "server", after: null }, async () => {
    const stored = withTrace(tracer, context);
    assert.equal(storedTrace(JSON.parse(JSON.stringify(stored))), tracer.here());
    assert.equal(storedTrace(withTrace(tracer, null)), tracer.here());
  });
  for (const none of [null, undefined, {}, { traceparent: 7 }, "text"]) assert.equal(storedTrace(none), null);
});

// Over real sockets, against a collector that accepts only OTLP.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type TraceCollector, traceCollector } from "../../../test/support/trace-collector.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import type { EndedSpan } from "./span.ts";
import { newSpanId, newTraceId } from "./trace-context.ts";

let collector: TraceCollector;
let counts: { exported: number; dropped: number };
before(async () => {
  collector = await traceCollector();
});
beforeEach(() => {
  counts = { exported: 0, dropped: 0 };
});
after(async () => {
  assert.deepEqual(collector.problems, []);
  await collector.close();
});

const anExporter = (more: object = {}) =>
  createOtlpExporter({
    url: `${collector.url}/v1/traces`,
    headers: { authorization: "Bearer of the collector" },
    resource: [
      ["service.name", "atelier"],
      ["host.cores", 2],
    ],
    scope: { name: "atelier", version: "0.1.0" },
    exported(spans) {
      counts.exported += spans;
    },
    dropped(spans) {
      counts.dropped += spans;
    },
    ...more,
  });

const aSpan = (name: string, more: Partial<EndedSpan> = {}): EndedSpan => ({
  context: { traceId: newTraceId(), spanId: newSpanId(), isSampled: true },
  parentSpanId: null,
  name,
  kind: "internal",
  startMs: 1_790_000_000_123,
  endMs: 1_790_000_000_124.5,
  attributes: new Map(),
  problem: null,
  ...more,
});

test("spans arrive as OTLP, in batches, to the nanosecond", async () => {
  const exporter = anExporter({ batchMax: 2 });
  const attributes = new Map<string, string | number | boolean>([
    ["text", "ä"],
    ["whole", 7],
    ["part", 0.5],
    ["yes", true],
  ]);
  exporter.add(aSpan("one", { kind: "server", attributes, problem: "answered 500" }));
  exporter.add(aSpan("two", { kind: "client", parentSpanId: newSpanId() }));
  exporter.add(aSpan("three", { kind: "consumer" }));
  await exporter.round();
  await exporter.close();
  const [one, two, three] = collector.spans;
  assert.deepEqual([one?.name, one?.kind, two?.kind, three?.kind], ["one", 2, 3, 5]);
  assert.deepEqual(one?.attributes, { text: "ä", whole: "7", part: 0.5, yes: true });
  assert.deepEqual([one?.isError, two?.isError], [true, false]);
  assert.deepEqual([one?.startNano, one?.endNano], [1_790_000_000_123_000_000n, 1_790_000_000_124_500_000n]);
  assert.equal(collector.headers.length, 2, "two batches");
  assert.equal(collector.headers[0]?.["authorization"], "Bearer of the collector");
  assert.deepEqual(collector.resources[0], { "service.name": "atelier", "host.cores": "2" });
  assert.deepEqual(counts, { exported: 3, dropped: 0 });
});

test("spans are resent once the collector recovers; refused ones are dropped", async () => {
  const exporter = anExporter();
  const seen = collector.spans.length;
  collector.answerNext({ status: 503 }, { status: 429 });
  exporter.add(aSpan("late"));
  await assert.rejects(exporter.round(), /503/);
  await assert.rejects(exporter.round(), /429/);
  assert.deepEqual(counts, { exported: 0, dropped: 0 });
  await exporter.round();
  assert.deepEqual([counts, collector.spans.length - seen], [{ exported: 1, dropped: 0 }, 1]);
  collector.answerNext({ status: 401 });
  exporter.add(aSpan("refused"));
  await assert.rejects(exporter.round(), /401/);
  await exporter.round();
  assert.deepEqual(counts, { exported: 1, dropped: 1 });
  collector.answerNext({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}' });
  exporter.add(aSpan("half"));
  exporter.add(aSpan("half"));
  await exporter.close();
  assert.deepEqual(counts, { exported: 2, dropped: 2 });
});

test("a full list drops and counts new spans; the end sends the rest, or gives up in time", async () => {
  const exporter = anExporter({ spansMax: 10 });
  for (let at = 0; at < 25; at++) exporter.add(aSpan(`span ${at}`));
  assert.deepEqual(counts, { exported: 0, dropped: 15 });
  await exporter.close();
  assert.deepEqual(counts, { exported: 10, dropped: 15 });
  exporter.add(aSpan("after the end"));
  assert.equal(counts.dropped, 16);
  const away = anExporter({ url: "http://127.0.0.1:1/v1/traces", timeoutMs: 2_000 });
  away.add(aSpan("lost"));
  await assert.rejects(away.round());
  await assert.rejects(away.close());
  assert.equal(counts.dropped, 17);
});

// Spans in the JSON form of OTLP/HTTP: the protobuf messages of opentelemetry-proto in their JSON mapping, with hexadecimal
// ids, 64-bit numbers as text, and absent members left out.
import type { EndedSpan, SpanKind, SpanValue } from "./span.ts";

// opentelemetry.proto.trace.v1.Span.SpanKind
const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
// opentelemetry.proto.trace.v1.Status.StatusCode
const statusError = 2;

export type Attributes = readonly (readonly [name: string, value: SpanValue])[];

export function exportRequest(
  resource: Attributes,
  scope: { name: string; version: string },
  spans: readonly EndedSpan[],
) {
  return {
    resourceSpans: [
      { resource: { attributes: resource.map(keyValue) }, scopeSpans: [{ scope, spans: spans.map(spanMessage) }] },
    ],
  };
}

function spanMessage(span: EndedSpan) {
  const { traceId, spanId } = span.context;
  return {
    traceId,
    spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    // The context's sampled flag: an unsampled span would not get here.
    flags: 1,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
    attributes: [...span.attributes].map(keyValue),
    status: span.problem === null ? {} : { code: statusError, message: span.problem },
  };
}

function keyValue([key, value]: readonly [string, SpanValue]) {
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  if (typeof value === "string") return { key, value: { stringValue: value } };
  return { key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
}

// A double cannot hold the nanoseconds since 1970, so whole milliseconds and the remainder are handled separately.
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6)));
}

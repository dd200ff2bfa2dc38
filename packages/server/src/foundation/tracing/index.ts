// OpenTelemetry traces, sent to a collector over OTLP (decision 0023).
export { openTracing, type Tracing } from "./open-tracing.ts";
export { createSampler } from "./sampling.ts";
export type { EndedSpan, Span } from "./span.ts";
export { storedTrace, withTrace } from "./stored-trace.ts";
export { readTraceparent, type TraceContext } from "./trace-context.ts";
export { registerTraceMetrics, type SpanCounts } from "./trace-metrics.ts";
export { createTracer, type SpanStart, type Tracer } from "./tracer.ts";

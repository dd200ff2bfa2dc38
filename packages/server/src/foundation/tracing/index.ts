// OpenTelemetry traces, sent to a collector over OTLP (decision 0023).
export { createSampler } from "./sampling.ts";
export type { EndedSpan, Span } from "./span.ts";
export { storedTrace, withTrace } from "./stored-trace.ts";
export { registerTraceMetrics } from "./trace-metrics.ts";
export { createTracer, type Tracer } from "./tracer.ts";

// OpenTelemetry traces, sent to a collector over OTLP (decision 0023).
export { createOtlpExporter } from "./otlp-exporter.ts";
export { createSampler } from "./sampling.ts";
export type { EndedSpan, Span } from "./span.ts";
export { storedTrace, withTrace } from "./stored-trace.ts";
export { registerTraceMetrics, type SpanCounts } from "./trace-metrics.ts";
export { createTracer, type Tracer } from "./tracer.ts";
export { planTracing, type TracingSettings } from "./tracing-plan.ts";

// How many spans were sent and dropped, counted by the exporter and reported on demand.
import { Counter, type Registry } from "prom-client";

export interface SpanCounts {
  exported: number;
  dropped: number;
}

export function registerTraceMetrics(registry: Registry, counts: Readonly<SpanCounts>): void {
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter("atelier_trace_spans_exported_total", "Spans that the collector accepted.", () => counts.exported);
  counter(
    "atelier_trace_spans_dropped_total",
    "Spans dropped because the collector was unavailable for too long or rejected them.",
    () => counts.dropped,
  );
}

// Traces of this process, if the settings name a collector; otherwise there is no tracer and nothing runs.
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import type { SpanCounts } from "./trace-metrics.ts";
import { createTracer, type Tracer } from "./tracer.ts";
import { planTracing, type TracingSettings } from "./tracing-plan.ts";

export interface Tracing {
  readonly tracer: Tracer | null;
  readonly spanCounts: Readonly<SpanCounts>;
}

const everyMs = 500;
const lastRoundSeconds = 5;

// Call this before everything that creates spans: what starts last stops first.
export function openTracing(deps: {
  readonly config: TracingSettings;
  readonly life: Lifecycle;
  readonly clock: Clock;
  // Of the program.
  readonly version: string;
}): Tracing {
  const spanCounts: SpanCounts = { exported: 0, dropped: 0 };
  const plan = planTracing(deps.config);
  if (plan === null) return { tracer: null, spanCounts };
  const exporter = createOtlpExporter({
    url: plan.url,
    headers: plan.headers,
    resource: [...plan.resource, ["service.version", deps.version], ["service.instance.id", newId()]],
    scope: { name: "atelier", version: deps.version },
    exported(spans) {
      spanCounts.exported += spans;
    },
    dropped(spans) {
      spanCounts.dropped += spans;
    },
  });
  deps.life.onStop("traces", () => exporter.close(), lastRoundSeconds);
  deps.life.repeat({ name: "traces: send spans", everyMs, round: () => exporter.round() });
  const tracer = createTracer({ clock: deps.clock, sampler: plan.sampler, ended: (span) => exporter.add(span) });
  return { tracer, spanCounts };
}

// Traces of this process, if the settings name a collector; otherwise there is no tracer and nothing runs. An unsupported
// protocol is refused at start with a clear message, instead of leaving a collector waiting for spans that never come.
import type { Config } from "../../../config.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Lifecycle } from "../../../foundation/lifecycle.ts";
import {
  type Attributes,
  createOtlpExporter,
  createTracer,
  type SpanCounts,
  samplerNames,
  samplerOf,
  type Tracer,
} from "../../../foundation/tracing/index.ts";
import { UsageProblem } from "../../commands/command.ts";
import { serverVersion } from "../../server-version.ts";

export interface Tracing {
  readonly tracer: Tracer | null;
  readonly spanCounts: Readonly<SpanCounts>;
}

type TracingSettings = Pick<
  Config,
  | "otlpEndpoint"
  | "otlpTracesEndpoint"
  | "otlpProtocol"
  | "otlpTracesProtocol"
  | "otlpHeaders"
  | "otlpTracesHeaders"
  | "otelSdkDisabled"
  | "otelTracesExporter"
  | "otelServiceName"
  | "otelResourceAttributes"
  | "otelTracesSampler"
  | "otelTracesSamplerArg"
>;

const everyMs = 500;
const lastRoundSeconds = 5;

// Call this before everything that creates spans: what starts last stops first.
export function openTracing(deps: {
  readonly config: TracingSettings;
  readonly life: Lifecycle;
  readonly clock: Clock;
}): Tracing {
  const spanCounts: SpanCounts = { exported: 0, dropped: 0 };
  const plan = planTracing(deps.config);
  if (plan === null) return { tracer: null, spanCounts };
  const exporter = createOtlpExporter({
    url: plan.url,
    headers: plan.headers,
    resource: [...plan.resource, ["service.version", serverVersion], ["service.instance.id", newId()]],
    scope: { name: "atelier", version: serverVersion },
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

// Null if tracing is off.
export function planTracing(config: TracingSettings) {
  const url = config.otlpTracesEndpoint ?? (config.otlpEndpoint && `${config.otlpEndpoint}/v1/traces`);
  if (url === null || config.otelSdkDisabled.toLowerCase() === "true" || config.otelTracesExporter === "none")
    return null;
  const problems: string[] = [];
  const protocol = config.otlpTracesProtocol ?? config.otlpProtocol;
  if (protocol !== "http/json")
    problems.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, and of OTLP only http/json is spoken here. Collectors take it at the address of http/protobuf (port 4318): leave the setting out, or set it to http/json.`,
    );
  if (config.otelTracesExporter !== "otlp")
    problems.push(
      `OTEL_TRACES_EXPORTER is ${config.otelTracesExporter}; traces go out over otlp, or not at all (none).`,
    );
  const sampler = samplerNames.find((name) => name === config.otelTracesSampler);
  if (sampler === undefined)
    problems.push(`OTEL_TRACES_SAMPLER is ${config.otelTracesSampler}; known are ${samplerNames.join(", ")}.`);
  const ratio = Number(config.otelTracesSamplerArg);
  if (!(ratio >= 0 && ratio <= 1)) problems.push("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.");
  const headers = pairsOf((config.otlpTracesHeaders ?? config.otlpHeaders)?.reveal() ?? "");
  const given = pairsOf(config.otelResourceAttributes ?? "");
  if (headers === null) problems.push("OTEL_EXPORTER_OTLP_HEADERS must be a list such as name=value,other=value.");
  if (given === null) problems.push("OTEL_RESOURCE_ATTRIBUTES must be a list such as name=value,other=value.");
  if (problems.length > 0 || sampler === undefined || headers === null || given === null)
    throw new UsageProblem(problems);
  const name = config.otelServiceName ?? new Map(given).get("service.name") ?? "atelier";
  const resource: Attributes = [["service.name", name], ...given.filter(([key]) => key !== "service.name")];
  return { url, headers: Object.fromEntries(headers), resource, sampler: samplerOf(sampler, ratio) };
}

// These variables have the W3C Baggage format, with percent-encoded values. Null if it cannot be parsed.
function pairsOf(text: string): (readonly [string, string])[] | null {
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split(",")) {
    if (part.trim() === "") continue;
    const mark = part.indexOf("=");
    if (mark < 1) return null;
    try {
      pairs.push([part.slice(0, mark).trim(), decodeURIComponent(part.slice(mark + 1).trim())]);
    } catch {
      return null;
    }
  }
  return pairs;
}

// Reads the settings of traces, which have the names and defaults of OpenTelemetry. An unsupported protocol is refused at start
// with a clear message, instead of leaving a collector waiting for spans that never come.
import { type Secret, UsageProblem } from "../settings.ts";
import type { Attributes } from "./otlp-json.ts";
import { createSampler, samplerNames } from "./sampling.ts";

export interface TracingSettings {
  readonly otlpEndpoint: string | null;
  readonly otlpTracesEndpoint: string | null;
  readonly otlpProtocol: string;
  readonly otlpTracesProtocol: string | null;
  readonly otlpHeaders: Secret | null;
  readonly otlpTracesHeaders: Secret | null;
  readonly otelSdkDisabled: string;
  readonly otelTracesExporter: string;
  readonly otelServiceName: string | null;
  readonly otelResourceAttributes: string | null;
  readonly otelTracesSampler: string;
  readonly otelTracesSamplerArg: string;
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
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but only http/json is supported. Collectors accept it at the same address as http/protobuf (port 4318): remove the setting, or set it to http/json.`,
    );
  if (config.otelTracesExporter !== "otlp")
    problems.push(`OTEL_TRACES_EXPORTER must be otlp or none, not ${config.otelTracesExporter}.`);
  const sampler = samplerNames.find((name) => name === config.otelTracesSampler);
  if (sampler === undefined)
    problems.push(`OTEL_TRACES_SAMPLER must be one of ${samplerNames.join(", ")}, not ${config.otelTracesSampler}.`);
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
  return { url, headers: Object.fromEntries(headers), resource, sampler: createSampler(sampler, ratio) };
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

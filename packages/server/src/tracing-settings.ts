// Tracing settings, under the standard OpenTelemetry variable names. These variables are often set for a whole machine, so we
// ignore them unless they also name a collector (foundation/tracing/tracing-plan.ts).
import { secretSetting, textSetting, urlSetting } from "./foundation/settings.ts";

export const tracingSettings = {
  otlpEndpoint: urlSetting({
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: null,
    about:
      "A collector that takes OTLP over HTTP, such as http://127.0.0.1:4318: traces go to /v1/traces there. None if absent.",
  }),
  otlpTracesEndpoint: urlSetting({
    env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    default: null,
    about: "The whole address that traces go to, where it is another one.",
  }),
  otlpProtocol: textSetting({
    env: "OTEL_EXPORTER_OTLP_PROTOCOL",
    default: "http/json",
    about:
      "How the collector is spoken to. http/json is spoken, which collectors take at the same address as http/protobuf; no other.",
  }),
  otlpTracesProtocol: textSetting({
    env: "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    default: null,
    about: "The same, for traces alone.",
  }),
  otlpHeaders: secretSetting({
    env: "OTEL_EXPORTER_OTLP_HEADERS",
    default: null,
    isText: true,
    about: "Headers for the collector, as name=value,other=value with values percent-encoded: its credential.",
  }),
  otlpTracesHeaders: secretSetting({
    env: "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    default: null,
    isText: true,
    about: "The same, for traces alone.",
  }),
  otelSdkDisabled: textSetting({
    env: "OTEL_SDK_DISABLED",
    default: "false",
    about: "true: no traces, whatever else is set.",
  }),
  otelTracesExporter: textSetting({
    env: "OTEL_TRACES_EXPORTER",
    default: "otlp",
    about: "otlp, or none: no traces, whatever else is set.",
  }),
  otelServiceName: textSetting({
    env: "OTEL_SERVICE_NAME",
    default: null,
    about: "What this program is called in traces; service.name of OTEL_RESOURCE_ATTRIBUTES, or atelier, if absent.",
  }),
  otelResourceAttributes: textSetting({
    env: "OTEL_RESOURCE_ATTRIBUTES",
    default: null,
    about: "What else is said of this process in traces, as name=value,other=value.",
  }),
  otelTracesSampler: textSetting({
    env: "OTEL_TRACES_SAMPLER",
    default: "parentbased_always_on",
    about:
      "Which traces are told: always_on, always_off, traceidratio, or one of them after parentbased_, which then does as the caller says who sent a traceparent.",
  }),
  otelTracesSamplerArg: textSetting({
    env: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    about: "The share of traces that traceidratio tells, from 0 to 1.",
  }),
} as const;

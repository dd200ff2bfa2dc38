// Tracing settings, under the standard OpenTelemetry variable names. These variables are often set for a whole machine, so we
// ignore them unless they also name a collector (foundation/tracing/tracing-plan.ts).
import { secretSetting, textSetting, urlSetting } from "./foundation/settings.ts";

export const tracingSettings = {
  otlpEndpoint: urlSetting({
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: null,
    about:
      "A collector that accepts OTLP over HTTP, such as http://127.0.0.1:4318; traces go to its /v1/traces. Default: none.",
  }),
  otlpTracesEndpoint: urlSetting({
    env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    default: null,
    about: "The full URL to send traces to, if it differs.",
  }),
  otlpProtocol: textSetting({
    env: "OTEL_EXPORTER_OTLP_PROTOCOL",
    default: "http/json",
    about:
      "The protocol of the collector. Only http/json is supported; collectors accept it at the same address as http/protobuf.",
  }),
  otlpTracesProtocol: textSetting({
    env: "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    default: null,
    about: "The same, for traces only.",
  }),
  otlpHeaders: secretSetting({
    env: "OTEL_EXPORTER_OTLP_HEADERS",
    default: null,
    isText: true,
    about: "Headers for the collector, such as its credential, as name=value,other=value with percent-encoded values.",
  }),
  otlpTracesHeaders: secretSetting({
    env: "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    default: null,
    isText: true,
    about: "The same, for traces only.",
  }),
  otelSdkDisabled: textSetting({
    env: "OTEL_SDK_DISABLED",
    default: "false",
    about: "true turns tracing off, regardless of other settings.",
  }),
  otelTracesExporter: textSetting({
    env: "OTEL_TRACES_EXPORTER",
    default: "otlp",
    about: "otlp, or none to turn tracing off, regardless of other settings.",
  }),
  otelServiceName: textSetting({
    env: "OTEL_SERVICE_NAME",
    default: null,
    about: "The name of this program in traces. Default: service.name of OTEL_RESOURCE_ATTRIBUTES, or atelier.",
  }),
  otelResourceAttributes: textSetting({
    env: "OTEL_RESOURCE_ATTRIBUTES",
    default: null,
    about: "More attributes of this process in traces, as name=value,other=value.",
  }),
  otelTracesSampler: textSetting({
    env: "OTEL_TRACES_SAMPLER",
    default: "parentbased_always_on",
    about:
      "Which traces to send: always_on, always_off, traceidratio, or one of them with the prefix parentbased_, which follows the caller's decision if it sent a traceparent.",
  }),
  otelTracesSamplerArg: textSetting({
    env: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    about: "The share of traces that traceidratio sends, from 0 to 1.",
  }),
} as const;

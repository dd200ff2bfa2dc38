import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { UsageProblem } from "./foundation/settings.ts";
import { newTraceId } from "./foundation/tracing/trace-context.ts";
import { planTracing } from "./foundation/tracing/tracing-plan.ts";

function planOf(env: Readonly<Record<string, string>>) {
  const { values, problems } = readConfig({ flags: {}, env, file: {} });
  assert.deepEqual(problems, []);
  return planTracing(values);
}
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };

test("without a collector there are no traces, with any other settings, nor when they are switched off", () => {
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_SAMPLER: "xray", OTEL_SERVICE_NAME: "x" },
    { ...endpoint, OTEL_SDK_DISABLED: "true" },
    { ...endpoint, OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
  ])
    assert.equal(planOf(env), null);
});

test("the collector's address is a base, or the traces' own address unchanged", () => {
  assert.equal(planOf(endpoint)?.url, "http://127.0.0.1:4318/v1/traces");
  const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in" };
  assert.equal(planOf({ ...endpoint, ...traces })?.url, "https://traces.example/in");
});

test("headers and resource are read as OpenTelemetry writes them", () => {
  const plan = planOf({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc==, x-tenant=a",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod,service.name=ours",
  });
  assert.deepEqual(plan?.headers, { authorization: "Bearer abc==", "x-tenant": "a" });
  assert.deepEqual(plan?.resource, [
    ["service.name", "ours"],
    ["deployment.environment.name", "prod"],
  ]);
  assert.deepEqual(planOf({ ...endpoint, OTEL_SERVICE_NAME: "mine" })?.resource, [["service.name", "mine"]]);
  assert.deepEqual(planOf(endpoint)?.resource, [["service.name", "atelier"]]);
});

test("unsupported and invalid settings are refused in words, all at once and without a secret", () => {
  const wrong = {
    ...endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_TRACES_EXPORTER: "zipkin",
    OTEL_TRACES_SAMPLER: "jaeger_remote",
    OTEL_TRACES_SAMPLER_ARG: "2",
    OTEL_EXPORTER_OTLP_HEADERS: "s3cret",
    OTEL_RESOURCE_ATTRIBUTES: "%zz",
  };
  assert.throws(
    () => planOf(wrong),
    (thrown: unknown) => {
      assert.ok(thrown instanceof UsageProblem);
      const { problems } = thrown;
      assert.equal(problems.length, 6);
      assert.match(problems[0] ?? "", /http\/protobuf.*only http\/json is supported/);
      return !problems.join(" ").includes("s3cret");
    },
  );
  const grpc = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" };
  assert.throws(() => planOf(grpc), UsageProblem);
});

test("the sampler is the requested one", () => {
  const none = planOf({ ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
  assert.equal(none?.sampler(newTraceId(), null), false);
  assert.equal(planOf(endpoint)?.sampler(newTraceId(), null), true);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Registry } from "prom-client";
import { registerProviderMetrics } from "./provider-metrics.ts";

test("a call is counted once, by kind, provider and outcome", async () => {
  const registry = new Registry();
  const meter = registerProviderMetrics(registry, (outcome) => (outcome === "succeeded" ? "ok" : outcome));
  meter.ended("model", "a", "succeeded", 750);
  meter.ended("model", "a", "succeeded", 2_000);
  meter.ended("task_start", "a", "provider_error", 20);
  // Two machines' clocks may disagree about when a task began.
  meter.ended("task", "b", "succeeded", -5);
  const page = await registry.metrics();
  const of = (call: string, provider: string, outcome: string) =>
    `call="${call}",provider="${provider}",outcome="${outcome}"`;
  const has = (line: string) => assert.ok(page.includes(`${line}\n`), `${line} is not on the page:\n${page}`);
  has(`atelier_provider_call_seconds_count{${of("model", "a", "ok")}} 2`);
  has(`atelier_provider_call_seconds_sum{${of("model", "a", "ok")}} 2.75`);
  has(`atelier_provider_call_seconds_bucket{le="1",${of("model", "a", "ok")}} 1`);
  has(`atelier_provider_call_seconds_count{${of("task_start", "a", "provider_error")}} 1`);
  has(`atelier_provider_call_seconds_sum{${of("task", "b", "ok")}} 0`);
});

test("however many providers there were, the page names two hundred of them, and all calls are counted", async () => {
  const registry = new Registry();
  const meter = registerProviderMetrics(registry, (outcome) => outcome);
  for (let at = 0; at < 1_000; at++) meter.ended("model", `p${at}`, "ok", 1);
  const page = await registry.metrics();
  assert.equal(page.match(/^atelier_provider_call_seconds_count\{/gm)?.length, 201);
  assert.match(page, /^atelier_provider_call_seconds_count\{call="model",provider="other",outcome="ok"\} 800$/m);
});

// How often the hook was asked, what it said, and how long it took.
import { Counter, Histogram, type Registry } from "prom-client";
import { type SafetyStage, type SafetyVerdict, safetyStages } from "./safety-hook.ts";

export interface SafetyMeter {
  asked(stage: SafetyStage, verdict: SafetyVerdict, milliseconds: number): void;
}

const results = ["allow", "refuse", "replace", "failed_open", "failed_closed"] as const;

export function safetyMeter(registry: Registry): SafetyMeter {
  const verdicts = new Counter({
    name: "atelier_safety_verdicts_total",
    help: "Verdicts of the safety hook by stage. failed_open and failed_closed: it gave none, and calls passed or failed.",
    labelNames: ["stage", "verdict"],
    registers: [registry],
  });
  // Alerts need a zero to rise from.
  for (const stage of safetyStages) for (const verdict of results) verdicts.inc({ stage, verdict }, 0);
  const seconds = new Histogram({
    name: "atelier_safety_hook_seconds",
    help: "How long the safety hook took for a verdict, by stage.",
    labelNames: ["stage"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return {
    asked(stage, verdict, milliseconds) {
      const word = verdict.kind === "failed" ? (verdict.mayPass ? "failed_open" : "failed_closed") : verdict.kind;
      verdicts.inc({ stage, verdict: word });
      seconds.observe({ stage }, Math.max(0, milliseconds) / 1000);
    },
  };
}

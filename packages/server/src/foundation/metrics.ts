// Counters and timings of one app, in its own registry, so that two apps in one process do not share numbers.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Registry } from "prom-client";
import { type RequestMeter, requestTally } from "./request-tally.ts";

export interface Metrics {
  readonly registry: Registry;
  requestMeter(operation: string): RequestMeter;
  counter(name: string, help: string): { add(amount?: number): void };
  // A number that is read on demand. A failing reader shows as NaN and never breaks the page.
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  // Facts that do not change while the process runs, as labels of a gauge that is always 1.
  fact(name: string, help: string, labels: Readonly<Record<string, string>>): void;
  text(): Promise<string>;
  stop(): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = requestTally();
  const loopDelay = monitorEventLoopDelay({ resolution: 20 });
  loopDelay.enable();

  const gauge: Metrics["gauge"] = (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.set(Number.NaN);
        }
      },
    });
  };
  gauge("process_resident_memory_bytes", "Resident memory of this process.", () => process.memoryUsage.rss());
  new Counter({
    name: "process_cpu_seconds_total",
    help: "CPU time of this process.",
    registers: [registry],
    // The operating system counts; we only report.
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  gauge(
    "atelier_event_loop_delay_p99_seconds",
    "How late timers run, 99th percentile since this was last read.",
    () => {
      const value = loopDelay.percentile(99) / 1e9;
      loopDelay.reset();
      return value;
    },
  );

  return {
    registry,
    requestMeter: (operation) => requests.meter(operation),
    counter(name, help) {
      const counter = new Counter({ name, help, registers: [registry] });
      return { add: (amount = 1) => counter.inc(amount) };
    },
    gauge,
    fact(name, help, labels) {
      new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] }).set(labels, 1);
    },
    text: async () => `${await registry.metrics()}\n${requests.text()}`,
    stop: () => loopDelay.disable(),
  };
}

// Counters and timings of one app, in a registry of its own so that two apps in one process do not share numbers.
// Label children of the hot path are made once per route and kept: a look-up per request would cost more than the count.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

export interface RequestMeter {
  // Called once per answered request.
  count(status: number, seconds: number): void;
}

export interface Metrics {
  readonly registry: Registry;
  requestMeter(operation: string): RequestMeter;
  counter(name: string, help: string): { add(amount?: number): void };
  // A number that is read when somebody looks; a failing reader shows as NaN and never breaks the page.
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
  stop(): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: "atelier_http_requests_total",
    help: "Answered requests by operation and status.",
    labelNames: ["operation", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "atelier_http_request_seconds",
    help: "Time from the request's headers to the end of its answer.",
    labelNames: ["operation"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600],
    registers: [registry],
  });
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
  gauge("process_cpu_seconds_total", "CPU time of this process.", () => {
    const used = process.cpuUsage();
    return (used.user + used.system) / 1e6;
  });
  gauge("atelier_event_loop_delay_p99_seconds", "How late timers run, 99th percentile since the last look.", () => {
    const value = loopDelay.percentile(99) / 1e9;
    loopDelay.reset();
    return value;
  });

  return {
    registry,
    requestMeter(operation) {
      const timing = seconds.labels(operation);
      const byStatus = new Map<number, Counter.Internal>();
      return {
        count(status, duration) {
          let child = byStatus.get(status);
          if (!child) {
            child = requests.labels(operation, String(status));
            byStatus.set(status, child);
          }
          child.inc();
          timing.observe(duration);
        },
      };
    },
    counter(name, help) {
      const counter = new Counter({ name, help, registers: [registry] });
      return { add: (amount = 1) => counter.inc(amount) };
    },
    gauge,
    text: () => registry.metrics(),
    stop: () => loopDelay.disable(),
  };
}

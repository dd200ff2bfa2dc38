// Traces what one process does. Running code knows its span without being passed it; work stored for later, by any process,
// carries its span along as text (`here`, `after`). A process without tracing has no tracer at all, so requests pay nothing for
// it: it is `Tracer | null` everywhere, and null is checked first.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../clock.ts";
import type { Sampler } from "./sampling.ts";
import { type EndedSpan, Span, type SpanKind, type SpanValue } from "./span.ts";
import { formatTraceparent, newSpanId, newTraceId, readTraceparent, type TraceContext } from "./trace-context.ts";

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  // The parent: a context or its text. Null starts a new trace. If absent, the span of the running code.
  readonly after?: TraceContext | string | null;
  // Now if absent.
  readonly startMs?: number;
  readonly attributes?: Readonly<Record<string, SpanValue | null | undefined>>;
}

export interface Tracer {
  begin(start: SpanStart): Span;
  // Runs a function as part of a span, including everything it awaits.
  within<T>(span: Span, run: () => T): T;
  // A span around some work. It ends with the work and is marked as failed if the work throws.
  around<T>(start: SpanStart, run: (span: Span) => Promise<T>): Promise<T>;
  // The trace position of the running code, as text to store or send. Null if it belongs to no trace.
  here(): string | null;
}

export function createTracer(deps: {
  readonly clock: Clock;
  readonly sampler: Sampler;
  // Called with each sampled span that has ended. Must neither throw nor block.
  readonly ended: (span: EndedSpan) => void;
}): Tracer {
  const { clock, sampler } = deps;
  const running = new AsyncLocalStorage<Span>();

  function begin(start: SpanStart): Span {
    const after = start.after === undefined ? running.getStore()?.context : start.after;
    const parent = typeof after === "string" ? readTraceparent(after) : (after ?? null);
    const traceId = parent?.traceId ?? newTraceId();
    const isSampled = sampler(traceId, parent);
    const beganMs = clock.monotonicMs();
    const startMs = start.startMs ?? clock.now().getTime();
    const { name, kind } = start;
    const context = { traceId, spanId: newSpanId(), isSampled };
    const span = new Span({ context, parentSpanId: parent?.spanId ?? null, name, kind, startMs }, (facts, endMs) =>
      deps.ended({ ...facts, endMs: endMs ?? startMs + (clock.monotonicMs() - beganMs) }),
    );
    for (const [key, value] of Object.entries(start.attributes ?? {})) span.note(key, value);
    return span;
  }

  const within = <T>(span: Span, run: () => T): T => running.run(span, run);

  return {
    begin,
    within,
    async around(start, run) {
      const span = begin(start);
      try {
        return await within(span, () => run(span));
      } catch (error) {
        span.failed(error instanceof Error ? error.name : "failed");
        throw error;
      } finally {
        span.end();
      }
    },
    here() {
      const span = running.getStore();
      return span === undefined ? null : formatTraceparent(span.context);
    },
  };
}

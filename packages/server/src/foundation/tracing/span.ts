// One piece of work in a trace: when it began and ended, what it belongs to, and its attributes. It is exported when it ends,
// and only if its trace is sampled. Attributes never contain what callers sent or a provider answered.
import type { TraceContext } from "./trace-context.ts";

export type SpanKind = "internal" | "server" | "client" | "consumer";
export type SpanValue = string | number | boolean;

export interface EndedSpan {
  readonly context: TraceContext;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: ReadonlyMap<string, SpanValue>;
  // Null if it succeeded.
  readonly problem: string | null;
}

export class Span {
  readonly context: TraceContext;
  readonly #facts: Omit<EndedSpan, "endMs" | "attributes" | "problem">;
  readonly #attributes = new Map<string, SpanValue>();
  readonly #end: (span: EndedSpan, nowMs: number | null) => void;
  #problem: string | null = null;
  #isOver = false;

  constructor(
    facts: Omit<EndedSpan, "endMs" | "attributes" | "problem">,
    end: (span: EndedSpan, nowMs: number | null) => void,
  ) {
    this.context = facts.context;
    this.#facts = facts;
    this.#end = end;
  }

  note(name: string, value: SpanValue | null | undefined): this {
    if (value !== null && value !== undefined && this.context.isSampled) this.#attributes.set(name, value);
    return this;
  }

  // Marks the span as failed. The first problem stays.
  failed(problem: string): this {
    this.#problem ??= problem;
    return this;
  }

  // Only the first call counts. `endMs`: when it ended, if not now.
  end(endMs: number | null = null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.context.isSampled) return;
    const { startMs } = this.#facts;
    this.#end({ ...this.#facts, endMs: startMs, attributes: this.#attributes, problem: this.#problem }, endMs);
  }
}

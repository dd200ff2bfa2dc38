// The trace context that we store with work in PostgreSQL, so that it stays in its trace no matter which process picks it up.
import type { Tracer } from "./tracer.ts";

// Adds the trace position of the running code. Without a tracer it returns its argument unchanged and allocates nothing.
export function withTrace<T extends object | null>(tracer: Tracer | null | undefined, context: T): T | object {
  const traceparent = tracer?.here() ?? null;
  return traceparent === null ? context : { ...context, traceparent };
}

export function storedTrace(context: unknown): string | null {
  if (typeof context !== "object" || context === null) return null;
  const traceparent: unknown = Reflect.get(context, "traceparent");
  return typeof traceparent === "string" ? traceparent : null;
}

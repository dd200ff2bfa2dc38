// What stands with work that is stored, in PostgreSQL, so that it stays in its trace no matter which process takes it up.
import type { Tracer } from "./tracer.ts";

// With where the running code is in its trace. Without a tracer it is what was given, and nothing is made.
export function withTrace<T extends object | null>(tracer: Tracer | null | undefined, context: T): T | object {
  const traceparent = tracer?.here() ?? null;
  return traceparent === null ? context : { ...context, traceparent };
}

export function storedTrace(context: unknown): string | null {
  if (typeof context !== "object" || context === null) return null;
  const traceparent: unknown = Reflect.get(context, "traceparent");
  return typeof traceparent === "string" ? traceparent : null;
}

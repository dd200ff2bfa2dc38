// The position in a trace: W3C Trace Context, level 1. We trust what a caller sends as far as we can parse it; anything else
// counts as absent, as the recommendation says.
import { randomFillSync } from "node:crypto";

export interface TraceContext {
  // 32 and 16 hexadecimal digits, never all zero.
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noTrace = "0".repeat(32);
const noSpan = "0".repeat(16);

export function readTraceparent(text: unknown): TraceContext | null {
  const [, version, traceId = noTrace, spanId = noSpan, flags = "00", more] =
    typeof text === "string" ? (shape.exec(text) ?? []) : [];
  // Later versions may append fields; version 00 may not.
  const isKnown = version !== undefined && version !== "ff" && (version !== "00" || more === undefined);
  if (!isKnown || traceId === noTrace || spanId === noSpan) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export const newTraceId = (): string => randomDigits(noTrace);
export const newSpanId = (): string => randomDigits(noSpan);

// Random bytes come from a buffer: asking the system for each span would cost more than the span.
const store = Buffer.alloc(4096);
let used = store.byteLength;

function randomDigits(none: string): string {
  const bytes = none.length / 2;
  if (used + bytes > store.byteLength) {
    randomFillSync(store);
    used = 0;
  }
  used += bytes;
  const digits = store.toString("hex", used - bytes, used);
  return digits === none ? randomDigits(none) : digits;
}

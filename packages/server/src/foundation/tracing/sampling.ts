// Which traces are told. The six samplers that every OpenTelemetry program knows, by their usual names.
import type { TraceContext } from "./trace-context.ts";

export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplerNames)[number];

// Whether a span is told that belongs to this trace and, if it has one, to this parent.
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean;

export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const isParentBased = name.startsWith("parentbased_");
  const root = isParentBased ? name.slice("parentbased_".length) : name;
  const ofRoot = (traceId: string) => {
    if (root === "always_on") return true;
    if (root === "always_off") return false;
    // By the random end of the id, so that all programs of one trace that sample by the same ratio decide alike.
    return Number.parseInt(traceId.slice(18, 31), 16) / 2 ** 52 >= 1 - ratio;
  };
  return (traceId, parent) => (isParentBased && parent !== null ? parent.isSampled : ofRoot(traceId));
}

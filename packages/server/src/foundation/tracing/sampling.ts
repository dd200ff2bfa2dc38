// Decides which traces are exported: the six standard OpenTelemetry samplers, under their usual names.
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

// Whether to export a span of this trace with this parent, if it has one.
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean;

export function createSampler(name: SamplerName, ratio: number): Sampler {
  const isParentBased = name.startsWith("parentbased_");
  const root = isParentBased ? name.slice("parentbased_".length) : name;
  const ofRoot = (traceId: string) => {
    if (root === "always_on") return true;
    if (root === "always_off") return false;
    // Uses the random end of the id, so that all programs in a trace with the same ratio decide alike.
    return Number.parseInt(traceId.slice(18, 31), 16) / 2 ** 52 >= 1 - ratio;
  };
  return (traceId, parent) => (isParentBased && parent !== null ? parent.isSampled : ofRoot(traceId));
}

// How long nodes run and what the cache saves, by class, for every attempt a worker ended, wherever it ran. Graphs choose
// the class names, so the first 200 get their own label and the rest are counted together.
import { Counter, Histogram, type Registry } from "prom-client";
import { decodeNodes } from "./node-picture.ts";

const classesMax = 200;
const others = "other";
// As many nodes as a graph may have. A remote worker may report anything.
const unlistedMax = 10_000;

export function registerNodeMetrics(registry: Registry): { ended(nodes: string): void } {
  const seconds = new Histogram({
    name: "atelier_node_seconds",
    help: "How long nodes ran, by class.",
    labelNames: ["class"],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers: [registry],
  });
  const hits = new Counter({
    name: "atelier_node_cache_hits_total",
    help: "Nodes skipped because their result was cached, by class.",
    labelNames: ["class"],
    registers: [registry],
  });
  const named = new Set<string>();
  const labelOf = (classType: string) => {
    if (named.size < classesMax && classType !== "") named.add(classType);
    return { class: named.has(classType) ? classType : others };
  };

  return {
    ended(text) {
      const picture = decodeNodes(text);
      if (picture === null) return;
      const unlisted = new Map(picture.classes.map(({ classType, ran, ms }) => [classType, { ran, ms }]));
      for (const { classType, state, ms } of picture.nodes) {
        const left = unlisted.get(classType);
        if (ms === null || left === undefined || (state !== "done" && state !== "failed")) continue;
        seconds.observe(labelOf(classType), ms / 1000);
        left.ran -= 1;
        left.ms -= ms;
      }
      // For graphs too large to be listed: the number of runs is right, and each counts with the average time.
      let room = unlistedMax;
      for (const [classType, { ran, ms }] of unlisted) {
        const each = Math.max(0, ms) / ran / 1000;
        for (let at = 0; at < ran && room > 0; at++, room--) seconds.observe(labelOf(classType), each);
      }
      for (const { classType, cached } of picture.classes) if (cached > 0) hits.inc(labelOf(classType), cached);
    },
  };
}

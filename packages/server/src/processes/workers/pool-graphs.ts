// Which graphs the applications behind a pool's workers can run, by the classes that the workers described; and the same
// beside our own engine, for the pool that both work for.
import { builtInClasses } from "@atelier/engine";
import type { Graphs } from "../../areas/workflows/index.ts";
import { type ApplicationClasses, readObjectInfo } from "../../capabilities/applications/index.ts";
import { needsOf, type PoolId } from "../../capabilities/jobs/index.ts";
import type { PoolClasses, Pools } from "../../capabilities/pools/index.ts";
import { applicationGraphs } from "./application-graphs.ts";

// Read once for as long as no worker brings anything else.
const read = new WeakMap<PoolClasses, ApplicationClasses | null>();

function classesOf(classes: PoolClasses): ApplicationClasses | null {
  const known = read.get(classes);
  if (known !== undefined) return known;
  const found = readObjectInfo(classes.descriptions);
  read.set(classes, found);
  return found;
}

type KnownClasses = Pick<Pools, "classesNow" | "classesOf">;

export function poolGraphs(pools: KnownClasses, poolId: PoolId): Graphs {
  const graphs = applicationGraphs({
    state: () => "up",
    classes: () => classesOf(pools.classesNow(poolId)),
    refreshClasses: () => undefined,
  });
  return {
    ...graphs,
    async ready() {
      await pools.classesOf(poolId);
    },
  };
}

// Our engine's word counts for what it knows; graphs with other classes go to the workers that know all of them.
export function graphsBeside(embedded: Graphs, pools: KnownClasses, poolId: PoolId): Graphs {
  const outside = poolGraphs(pools, poolId);
  const isKnownOutside = (names: readonly string[]) => {
    const { descriptions } = pools.classesNow(poolId);
    return names.length > 0 && names.every((name) => Object.hasOwn(descriptions, name));
  };
  return {
    ready: async () => outside.ready?.(),
    isEditorFormat: embedded.isEditorFormat,
    convert(workflow) {
      const converted = embedded.convert(workflow);
      const isOutside = !converted.ok && isKnownOutside(converted.unknownClasses);
      return isOutside ? outside.convert(workflow) : converted;
    },
    check(graph) {
      const verdict = embedded.check(graph);
      if (verdict.ok) return verdict;
      const { classes } = needsOf(graph);
      const isForeign = classes.some((name) => !builtInClasses.has(name));
      return isForeign && isKnownOutside(classes) ? outside.check(graph) : verdict;
    },
    fileInputs(classType) {
      if (builtInClasses.has(classType) || !isKnownOutside([classType])) return embedded.fileInputs(classType);
      return outside.fileInputs(classType);
    },
  };
}

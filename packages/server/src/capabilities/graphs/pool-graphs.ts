// Which graphs the applications behind a pool's workers can run, judged by the classes the workers described; and the same
// combined with our own engine, for a pool that both serve.
import {
  type ApplicationProfile,
  builtInSet,
  type ClassDescriptions,
  type ClassSet,
  validateGraph,
} from "@atelier/engine";
import type { ApplicationClasses } from "../applications/index.ts";
import { needsOf, type PoolId } from "../jobs/index.ts";
import type { PoolClasses, Pools } from "../pools/index.ts";
import { applicationGraphs } from "./application-graphs.ts";
import type { ClassLocation, DescribedClasses, Graphs, GraphVerdict } from "./graphs.ts";
import { withWayToBring } from "./missing-weights.ts";
import { notTogether, poolReader } from "./pool-cover.ts";

interface JudgedUnion {
  readonly classes: ClassDescriptions;
  readonly profile: ApplicationProfile;
  // The names of our engine's classes.
  readonly own: readonly string[];
}

type KnownClasses = Pick<Pools, "classesNow" | "classesOf">;

interface PoolGraphs extends Graphs {
  // What the workers know between them. Null if nothing is known yet.
  known(): ApplicationClasses | null;
}

export function poolGraphs(pools: KnownClasses, poolId: PoolId): PoolGraphs {
  const reader = poolReader();
  const known = () => reader.union(pools.classesNow(poolId));
  const graphs = applicationGraphs({ state: () => "up", classes: known, refreshClasses: () => undefined }, { poolId });
  return {
    ...graphs,
    known,
    check(graph) {
      const verdict = graphs.check(graph);
      if (!verdict.ok || typeof graph !== "object" || graph === null) return withWayToBring(verdict);
      return withWayToBring(reader.check(graph, pools.classesNow(poolId), verdict));
    },
    async ready() {
      await pools.classesOf(poolId);
    },
  };
}

// Our engine decides about graphs it knows; graphs with other classes go to workers that know all of them.
export function graphsBeside(
  embedded: Graphs,
  pools: KnownClasses,
  poolId: PoolId,
  profile: ApplicationProfile,
  own: ClassSet = builtInSet,
): Graphs {
  const outside = poolGraphs(pools, poolId);
  const isKnownOutside = (names: readonly string[]) => {
    const { descriptions } = pools.classesNow(poolId);
    return names.length > 0 && names.every((name) => Object.hasOwn(descriptions, name));
  };
  const union = unionOf(embedded, outside, own.of(profile));
  return {
    ready: async () => outside.ready?.(),
    isEditorFormat: embedded.isEditorFormat,
    *convert(workflow) {
      const converted = yield* embedded.convert(workflow);
      const isOutside = !converted.ok && isKnownOutside(converted.unknownClasses);
      return isOutside ? yield* outside.convert(workflow) : converted;
    },
    check(graph) {
      const verdict = embedded.check(graph);
      if (verdict.ok || typeof graph !== "object" || graph === null) return verdict;
      const needs = needsOf(graph);
      const isForeign = needs.classes.some((name) => !own.has(name));
      if (!isForeign) return verdict;
      if (isKnownOutside(needs.classes)) return outside.check(graph);
      return mixed(graph, verdict, { classes: union.judged(), profile, own: own.names }, pools.classesNow(poolId));
    },
    classes: union.classes,
    fileInputs(classType) {
      if (own.has(classType) || !isKnownOutside([classType])) return embedded.fileInputs(classType);
      return outside.fileInputs(classType);
    },
    wayOn: (unknown) => embedded.wayOn?.(unknown) ?? "",
  };
}

// Either some classes are known neither to the engine nor to any worker, and those are the problem; or the engine has some
// and workers have others, and none has all.
function mixed(graph: object, verdict: GraphVerdict, union: JudgedUnion, pool: PoolClasses): GraphVerdict {
  const needs = needsOf(graph);
  const own = { descriptions: Object.fromEntries(union.own.map((name) => [name, null])) };
  if (needs.classes.every((name) => union.classes.has(name)))
    return notTogether(graph, [own, ...pool.environments], needs);
  const { ok, problem, nodeErrors, nodes } = validateGraph(graph, union);
  return ok ? verdict : { ok, problem, nodeErrors, nodes };
}

// Both combined, rebuilt when the workers bring something new.
function unionOf(embedded: Graphs, outside: PoolGraphs, own: ClassDescriptions) {
  let judged: { readonly of: ApplicationClasses | null; readonly classes: ClassDescriptions } | null = null;
  let described: {
    readonly of: DescribedClasses;
    readonly ours: DescribedClasses;
    readonly both: DescribedClasses;
  } | null = null;
  return {
    judged(): ClassDescriptions {
      const known = outside.known();
      if (judged?.of !== known || judged === null)
        judged = { of: known, classes: new Map([...(known?.judged ?? []), ...own]) };
      return judged.classes;
    },
    classes(): DescribedClasses {
      const ours = embedded.classes();
      if (outside.known() === null) return ours;
      const theirs = outside.classes();
      if (described?.of !== theirs || described.ours !== ours)
        described = { of: theirs, ours, both: together(ours, theirs) };
      return described.both;
    },
  };
}

function together(own: DescribedClasses, theirs: DescribedClasses): DescribedClasses {
  return {
    descriptions: new Map([...theirs.descriptions, ...own.descriptions]),
    locationOf(name): ClassLocation {
      const engine = own.descriptions.has(name);
      return { engine, application: false, pools: theirs.descriptions.has(name) ? theirs.locationOf(name).pools : [] };
    },
  };
}

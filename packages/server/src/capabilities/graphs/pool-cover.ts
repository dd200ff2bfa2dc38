// A graph runs on a single worker. The workers of a pool may know all its classes and weight files between them while no
// single one knows all of them. Such a graph would wait for ever, so we refuse it like one that names something no worker
// has.
import { BoundedMap } from "@atelier/engine/bounded-map";
import { type ApplicationClasses, judgeGraph, readObjectInfo } from "../applications/index.ts";
import { type JobNeeds, needsOf } from "../jobs/index.ts";
import { type DescribedEnvironment, mergeDescriptions, type PoolClasses } from "../pools/index.ts";
import type { GraphProblem, GraphVerdict, NodeProblems } from "./graphs.ts";

export interface PoolReader {
  // What all workers of the pool know between them. Null if nothing.
  union(classes: PoolClasses): ApplicationClasses | null;
  // Whether one of the workers can run the graph, given that all of them together could.
  check(graph: object, classes: PoolClasses, verdict: GraphVerdict): GraphVerdict;
}

const partsMax = 16;

// Results are cached until a worker brings something new.
export function poolReader(): PoolReader {
  const read = new WeakMap<PoolClasses, BoundedMap<string, ApplicationClasses | null>>();
  const classesOf = (classes: PoolClasses, part: readonly DescribedEnvironment[]): ApplicationClasses | null => {
    const known = read.get(classes) ?? new BoundedMap<string, ApplicationClasses | null>(partsMax);
    read.set(classes, known);
    const isWhole = part.length === classes.environments.length;
    const key = isWhole ? "" : part.map(({ id }) => id).join(" ");
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = readObjectInfo(
      isWhole ? classes.descriptions : mergeDescriptions(part.map(({ descriptions }) => descriptions)),
    );
    known.set(key, found);
    return found;
  };
  return {
    union: (classes) => classesOf(classes, classes.environments),
    check(graph, classes, verdict) {
      if (classes.environments.length < 2) return verdict;
      const needs = needsOf(graph);
      const able = classes.environments.filter(({ descriptions }) => lackingClasses(descriptions, needs).length === 0);
      if (able.length === 0) return notTogether(graph, classes.environments, needs);
      const judge = (part: readonly DescribedEnvironment[]) => {
        const found = classesOf(classes, part);
        return found === null ? verdict : judgeGraph(graph, found, { allowsApplicationFiles: false });
      };
      const together = able.length === classes.environments.length ? verdict : judge(able);
      if (!together.ok) return together;
      const lacking = ({ id }: DescribedEnvironment) => {
        const models = classes.modelsLacking.get(id);
        return needs.models.filter((name) => models?.has(name)).length;
      };
      const [best] = able.toSorted((one, other) => lacking(one) - lacking(other));
      return best === undefined || lacking(best) === 0 ? verdict : refusedBy(judge([best]));
    },
  };
}

const lackingClasses = (descriptions: object, needs: JobNeeds) =>
  needs.classes.filter((name) => !Object.hasOwn(descriptions, name));

// A model may be named in free text that no list checks; even then no worker would take the job.
function refusedBy(verdict: GraphVerdict): GraphVerdict {
  if (!verdict.ok) return verdict;
  return { ...verdict, ok: false, problem: problemOf("No worker has all models of this graph together") };
}

// Names the nodes whose classes the closest worker lacks.
export function notTogether(
  graph: object,
  environments: readonly Pick<DescribedEnvironment, "descriptions">[],
  needs: JobNeeds,
): GraphVerdict {
  const [least = []] = environments
    .map(({ descriptions }) => lackingClasses(descriptions, needs))
    .toSorted((one, other) => one.length - other.length);
  const lacking = new Set(least);
  const problem = problemOf("No worker has all node classes of this graph together");
  const nodes = Object.entries(graph).flatMap(([id, node]: [string, unknown]): [string, NodeProblems][] => {
    const classType = typeof node === "object" && node !== null && "class_type" in node ? node.class_type : null;
    if (typeof classType !== "string" || !lacking.has(classType)) return [];
    return [[id, { errors: [problem], dependent_outputs: [], class_type: classType }]];
  });
  return { ok: false, problem, nodeErrors: Object.fromEntries(nodes.slice(0, nodesReportedMax)), nodes: [] };
}

const nodesReportedMax = 100;

function problemOf(message: string): GraphProblem {
  return { type: "prompt_outputs_failed_validation", message, details: "", extra_info: {} };
}

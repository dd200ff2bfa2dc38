// What a graph reveals about its nodes before it runs: the values their inputs will have, and which nodes may run several times.
// For estimating what a run can cost.
import { builtInClasses } from "./built-in-classes.ts";
import { type Graph, isLink, type Link, unwrapped } from "./graph.ts";
import type { ClassDescriptions } from "./node-class.ts";
import { linksOf, nodeOf } from "./walk-graph.ts";

export type ForeseenInput =
  | { readonly kind: "value"; readonly value: unknown }
  // It comes over a link from a node that computes it.
  | { readonly kind: "computed" }
  | { readonly kind: "absent" };

export interface ForeseenInputs {
  input(nodeId: string, name: string): ForeseenInput;
  // Whether a list may reach it: then it runs once per value, and at least once.
  mayRunOften(nodeId: string): boolean;
}

// Classes that pass on the value of one input unchanged.
const handsOn: ReadonlyMap<string, string> = new Map([
  ["PrimitiveInt", "value"],
  ["PrimitiveFloat", "value"],
  ["PrimitiveString", "value"],
  ["PrimitiveStringMultiline", "value"],
  ["PrimitiveBoolean", "value"],
  ["CustomCombo", "choice"],
]);

const absent: ForeseenInput = { kind: "absent" };
const computed: ForeseenInput = { kind: "computed" };

// The graph must be valid; `order` lists the nodes that will run, each after everything it needs.
export function foreseeInputs(
  graph: Graph,
  order: readonly string[],
  classes: Pick<ClassDescriptions, "get"> = builtInClasses,
): ForeseenInputs {
  const handedOn = new Map<string, ForeseenInput>();

  function given(nodeId: string, name: string): ForeseenInput | Link {
    const inputs = nodeOf(graph, nodeId)?.inputs ?? {};
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined || value === null) return absent;
    return isLink(value) ? value : { kind: "value", value: unwrapped(value) };
  }

  // Without recursion: a chain of values may be ten thousand nodes long.
  function input(nodeId: string, name: string): ForeseenInput {
    const way: string[] = [];
    let found = given(nodeId, name);
    while (isLink(found)) {
      const [source] = found;
      const known = way.length > order.length ? computed : handedOn.get(source);
      const inner = handsOn.get(nodeOf(graph, source)?.class_type ?? "");
      if (known === undefined && inner !== undefined) way.push(source);
      found = known ?? (inner === undefined ? computed : given(source, inner));
    }
    for (const source of way) handedOn.set(source, found);
    return found;
  }

  let often: ReadonlySet<string> | undefined;
  return {
    input,
    mayRunOften(nodeId) {
      often ??= runsOften(graph, order, classes);
      return often.has(nodeId);
    },
  };
}

function runsOften(
  graph: Graph,
  order: readonly string[],
  classes: Pick<ClassDescriptions, "get">,
): ReadonlySet<string> {
  const often = new Set<string>();
  const classOf = (id: string) => classes.get(nodeOf(graph, id)?.class_type ?? "");
  for (const id of order) {
    if (classOf(id)?.takesLists === true) continue;
    const isFed = linksOf(graph, id).some(
      ([, [source, output]]) => often.has(source) || classOf(source)?.outputs[output]?.isList === true,
    );
    if (isFed) often.add(id);
  }
  return often;
}

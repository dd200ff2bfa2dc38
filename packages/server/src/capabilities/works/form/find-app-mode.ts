// Finds what an app mode's entries mean in the API graph.
import type { WidgetTargets } from "@atelier/engine";
import type { AppMode, AppModeInput } from "./app-mode.ts";
import type { ReadNode } from "./complete-form.ts";
import { type PossibleInput, targetKey } from "./possible-inputs.ts";

export interface FoundAppMode {
  readonly inputs: readonly { readonly possible: PossibleInput; readonly description: string | null }[];
  // Ids of output nodes.
  readonly outputs: readonly string[];
  readonly problems: readonly string[];
}

interface Known {
  // Where the document's widgets lead.
  readonly targets: WidgetTargets;
  readonly possible: readonly PossibleInput[];
  readonly nodes: ReadNode;
  // Ids of the API graph.
  readonly ids: readonly string[];
}

export function findAppMode(mode: AppMode, known: Known): FoundAppMode {
  const problems = [...mode.problems];
  const find = finder(known);
  const inputs = new Map<PossibleInput, string | null>();
  for (const entry of mode.inputs) {
    const found = find.input(entry);
    if (typeof found === "string") problems.push(found);
    else if (!inputs.has(found)) inputs.set(found, entry.description);
  }
  const outputs = new Set<string>();
  for (const id of mode.outputs) {
    const found = find.output(id);
    if (found === null) problems.push(`The app mode shows node ${shortened(id)}, which is not an output that runs.`);
    else outputs.add(found);
  }
  return {
    inputs: [...inputs].map(([possible, description]) => ({ possible, description })),
    outputs: [...outputs],
    problems,
  };
}

function finder({ targets, possible, nodes, ids }: Known) {
  const byTarget = new Map(possible.flatMap((one) => [one, ...one.also].map((target) => [targetKey(target), one])));
  const known = new Set(ids);
  const inner = Map.groupBy(ids, (id) => id.slice(id.lastIndexOf(":") + 1));
  return {
    // A sentence if it is not found.
    input({ node, widget }: AppModeInput): PossibleInput | string {
      const direct = byTarget.get(targetKey({ node, input: widget }));
      if (direct !== undefined) return direct;
      const led = targets.get(node)?.get(widget) ?? soleWidget(targets, node, widget);
      for (const target of led) {
        const found = byTarget.get(targetKey(target));
        if (found !== undefined) return found;
      }
      const within = (inner.get(node) ?? []).flatMap(
        (id) => byTarget.get(targetKey({ node: id, input: widget })) ?? [],
      );
      const [only, ...others] = new Set(within);
      if (only !== undefined && others.length === 0) return only;
      const name = `${shortened(widget)} of node ${shortened(node)}`;
      if (others.length > 0) return `The app mode sets ${name}, which could be one of several nodes.`;
      return `The app mode sets ${name}, which has no value in the graph that runs.`;
    },
    output(id: string): string | null {
      const isOutput = (each: string) => nodes(each) !== null && nodes(each)?.described?.isOutputNode !== false;
      if (known.has(id) && isOutput(id)) return id;
      const [only, ...others] = (inner.get(id) ?? []).filter(isOutput);
      return only !== undefined && others.length === 0 ? only : null;
    },
  };
}

// A primitive node has one widget, under any name.
function soleWidget(targets: WidgetTargets, node: string, widget: string) {
  const widgets = targets.get(node);
  return widgets?.size === 1 && widgets.has("value") && widget !== "control_after_generate"
    ? (widgets.get("value") ?? [])
    : [];
}

const shortened = (text: string) => text.slice(0, 100);

// Which widget value belongs to which input. An editor writes values in the order of the widgets, and adds some of its
// own: what to do with a seed after a run, and the button beside a file name.
import type { InputDescription, NodeClassDescription } from "./node-class.ts";
import type { UiNode } from "./ui-graph.ts";

const afterGenerate = new Set<unknown>(["fixed", "increment", "decrement", "randomize"]);
const seedNames = new Set(["seed", "noise_seed"]);

export function widgetValues(node: UiNode, description: NodeClassDescription): Map<string, unknown> {
  const inputs = description.inputs.filter(hasWidget);
  const values = new Map<string, unknown>();
  if (!isList(node.widgets)) {
    for (const { name } of inputs) if (Object.hasOwn(node.widgets, name)) values.set(name, node.widgets[name]);
  } else {
    let at = 0;
    for (const input of inputs) {
      if (at < node.widgets.length) values.set(input.name, node.widgets[at]);
      at += 1;
      if (isControlled(input) && afterGenerate.has(node.widgets[at])) at += 1;
      if (input.type === "COMBO" && input.upload && node.widgets[at] === input.upload) at += 1;
    }
  }
  for (const input of inputs) {
    if (!values.has(input.name) && !input.optional && "default" in input && input.default !== undefined) {
      values.set(input.name, input.default);
    }
  }
  return values;
}

function isList(widgets: UiNode["widgets"]): widgets is readonly unknown[] {
  return Array.isArray(widgets);
}

function hasWidget(input: InputDescription): boolean {
  return ["INT", "FLOAT", "STRING", "BOOLEAN", "COMBO"].includes(input.type);
}

// Editors give every seed that widget, asked for or not.
function isControlled(input: InputDescription): boolean {
  return input.type === "INT" && (input.controlAfterGenerate === true || seedNames.has(input.name));
}

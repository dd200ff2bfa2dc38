// Choosing between values.

import { isValue } from "../../execution/inputs.ts";
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { anything, flag, int, text, wholeMax } from "../../graph/describe-inputs.ts";

const matched = [
  "COMFY_MATCHTYPE_V3",
  { lazy: true, template: { template_id: "switch", allowed_types: "*" } },
] as const;

export const switchNode: NodeRunner = {
  description: {
    name: "ComfySwitchNode",
    displayName: "Switch",
    category: "logic",
    description: "Picks one of two values.",
    inputs: [flag("switch", false), anything("on_false"), anything("on_true")],
    outputs: [{ type: "*", name: "output" }],
    isExperimental: true,
    shown: {
      required: { switch: ["BOOLEAN", {}], on_false: matched, on_true: matched },
      output: ["COMFY_MATCHTYPE_V3"],
    },
  },
  weight: 0.1,
  run(inputs) {
    const name = inputs.flag("switch") ? "on_true" : "on_false";
    const value = inputs.raw(name);
    if (!isValue(value)) throw new NodeError(`${name}: expected a value.`);
    return [value];
  },
};

export const customCombo: NodeRunner = {
  description: {
    name: "CustomCombo",
    displayName: "Custom Combo",
    category: "utils",
    description: "A choice from a list kept by the editor; any text is accepted.",
    inputs: [text("choice", "")],
    outputs: [{ type: "STRING", name: "STRING" }],
    isExperimental: true,
    shown: { required: { choice: [[], {}] } },
  },
  weight: 0.1,
  run: (inputs) => [inputs.text("choice")],
};

// The editor also sends the index of the choice in its list.
export const newerCustomCombo: NodeRunner = {
  ...customCombo,
  description: {
    ...customCombo.description,
    inputs: [text("choice", ""), int("index", 0, -wholeMax, wholeMax, { optional: true })],
    outputs: [
      { type: "STRING", name: "STRING" },
      { type: "INT", name: "INDEX" },
    ],
  },
  run: (inputs) => [inputs.text("choice"), inputs.int("index")],
};

import assert from "node:assert/strict";
import { convertUiGraph } from "./convert-ui-graph.ts";
import { type EditorClass, readEditorClass } from "./editor-class.ts";

// Our own classes, in the shape of the application's object_info.
export const described = {
  Text: { input: { required: { text: ["STRING", { multiline: true, dynamicPrompts: true }] } }, output: ["TEXT"] },
  Noise: {
    input: { required: { noise_seed: ["INT", {}], strength: ["FLOAT", { default: 0.5 }] } },
    output: ["NOISE"],
  },
  Join: {
    input: { required: { one: ["TEXT", {}], label: ["STRING", { default: "l" }] }, optional: { two: ["TEXT", {}] } },
    output: ["TEXT"],
  },
  Pick: {
    input: { required: { mode: [["a", "b"], { control_after_generate: true }], steps: ["INT", { default: 4 }] } },
    output: ["TEXT"],
  },
  Turn: { input: { required: { image: ["IMAGE", {}], mask: ["MASK", {}] } }, output: ["MASK", "IMAGE"] },
  Kinds: {
    input: {
      required: {
        kind: [
          "COMFY_DYNAMICCOMBO_V3",
          {
            options: [
              { key: "size", inputs: { required: { width: ["INT", { default: 8 }], height: ["INT", {}] } } },
              { key: "text", inputs: { required: { words: ["STRING", {}] }, optional: { image: ["IMAGE", {}] } } },
            ],
          },
        ],
        last: ["BOOLEAN", { default: true }],
        texts: ["COMFY_AUTOGROW_V3", { template: { input: { required: { t: ["TEXT", {}] } }, prefix: "t", min: 1 } }],
      },
    },
    output: ["TEXT"],
  },
  Load: { input: { required: { file: [["x.png"], { image_upload: true }] } }, output: ["IMAGE", "MASK"] },
  Forced: { input: { required: { count: ["INT", { forceInput: true }], name: ["STRING", {}] } }, output: ["TEXT"] },
  Curve: { input: { required: { curve: ["CURVE", {}], colors: ["COLORS", {}] } }, output: [] },
  Save: { input: { required: { value: ["TEXT,IMAGE", {}] } }, output: [], display_name: "Keep it" },
};
export const classes = new Map(
  Object.entries(described).flatMap(([name, entry]): [string, EditorClass][] => {
    const read = readEditorClass(name, entry);
    return read === null ? [] : [[name, read]];
  }),
);

interface Given {
  readonly nodes: readonly object[];
  readonly links?: readonly unknown[];
  readonly subgraphs?: readonly object[];
  readonly last_node_id?: number;
}
export const convert = ({ subgraphs, ...graph }: Given) =>
  convertUiGraph({ links: [], ...graph, definitions: { subgraphs } }, classes, { random: () => 0 });

export function graphOf(given: Given) {
  const result = convert(given);
  assert.ok(result.ok, JSON.stringify(result));
  return Object.fromEntries(Object.entries(result.graph).map(([id, { inputs }]) => [id, inputs]));
}
export function problemsOf(given: Given) {
  const result = convert(given);
  assert.ok(!result.ok, JSON.stringify(result));
  return result.problems;
}

export const slot = (name: string, type: string, link: number | null = null) => ({ name, type, link });
export const port = (name: string, type: string, ...linkIds: number[]) => ({ name, type, linkIds });
export const line = (id: number, from: number, to: number, fromSlot = 0, toSlot = 0) => ({
  id,
  origin_id: from,
  origin_slot: fromSlot,
  target_id: to,
  target_slot: toSlot,
});
export const save = (id: number, link: number) => ({ id, type: "Save", inputs: [slot("value", "TEXT,IMAGE", link)] });

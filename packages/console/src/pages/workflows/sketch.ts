// An editor's graph as far as it can be read without knowing its classes: nodes, titles, links, and values as far as the file
// names them. The editor saves values by position, so this is for the eye and never runs.
import type { DescribedClass } from "@atelier/sdk";
import type { KnownClasses } from "../../api/classes.ts";
import type { EditorFile, Graph, GraphNode } from "../../api/graphs.ts";
import { isRecord } from "../../api/json-record.ts";

// Nodes only the editor knows; they do not run.
const notes = /^(Markdown)?Note$/;

export function sketchOf(editor: EditorFile): Graph {
  const links = linksById(editor["links"]);
  return Object.fromEntries(
    editor.nodes.flatMap((node): readonly [string, GraphNode][] => {
      if (!isRecord(node) || typeof node["type"] !== "string" || notes.test(node["type"])) return [];
      const title = node["title"];
      const inputs = (Array.isArray(node["inputs"]) ? (node["inputs"] as unknown[]) : []).flatMap((input) => {
        if (!isRecord(input) || typeof input["name"] !== "string") return [];
        const from = links.get(String(input["link"]));
        return from === undefined ? [] : [[input["name"], from] as const];
      });
      const values = valuesOf(node).filter(([name]) => !inputs.some(([linked]) => linked === name));
      const meta = typeof title === "string" && title !== "" ? { _meta: { title } } : {};
      return [
        [String(node["id"]), { class_type: node["type"], inputs: Object.fromEntries([...inputs, ...values]), ...meta }],
      ];
    }),
  );
}

// After a seed the editor saves what happens to it after a run.
const afterSeed = new Set<unknown>(["fixed", "increment", "decrement", "randomize"]);

// By the names of the node's widgets if the file has them, otherwise by number.
function valuesOf(node: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const saved = node["widgets_values"];
  const isPlain = (value: unknown) => ["string", "number", "bigint", "boolean"].includes(typeof value);
  if (isRecord(saved)) return Object.entries(saved).filter(([, value]) => isPlain(value));
  if (!Array.isArray(saved)) return [];
  const names = (Array.isArray(node["inputs"]) ? (node["inputs"] as unknown[]) : []).flatMap((input) =>
    isRecord(input) && isRecord(input["widget"]) && typeof input["name"] === "string" ? [input["name"]] : [],
  );
  const values = (saved as unknown[]).filter(
    (value, at, all) => !(at > 0 && isSeedLike(all[at - 1]) && afterSeed.has(value)),
  );
  return values.flatMap((value, at) => (isPlain(value) ? [[names[at] ?? `value ${at + 1}`, value] as const] : []));
}

const isSeedLike = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";

// Links are lists [id, from, slot, to, …], or records in newer files.
function linksById(links: unknown): ReadonlyMap<string, readonly [string, number]> {
  const found = new Map<string, readonly [string, number]>();
  for (const link of Array.isArray(links) ? (links as unknown[]) : []) {
    const [id, from, slot]: readonly unknown[] = Array.isArray(link)
      ? link
      : isRecord(link)
        ? [link["id"], link["origin_id"], link["origin_slot"]]
        : [];
    if (id !== undefined && from !== undefined) found.set(String(id), [String(from), Number(slot) || 0]);
  }
  return found;
}

// What the file itself says about its classes: the names and types of their outputs.
export function sketchedClasses(editor: EditorFile): KnownClasses {
  return new Map(
    editor.nodes.flatMap((node): readonly [string, DescribedClass][] => {
      if (!isRecord(node) || typeof node["type"] !== "string" || !Array.isArray(node["outputs"])) return [];
      const name = node["type"];
      const outputs = (node["outputs"] as unknown[]).map((output) => {
        const type = isRecord(output) && typeof output["type"] === "string" ? output["type"] : "*";
        const said = isRecord(output) && typeof output["name"] === "string" ? output["name"] : type;
        return { name: said, type, is_list: false };
      });
      const plain = { title: name, category: "", description: "", is_output: false, is_deprecated: false };
      return [
        [
          name,
          {
            name,
            ...plain,
            is_experimental: false,
            inputs: [],
            outputs,
            runs_on: { engine: false, pools: [], application: false },
          },
        ],
      ];
    }),
  );
}

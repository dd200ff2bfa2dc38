// An editor's graph as far as it can be read without knowing its classes: nodes, titles and links. We leave out values, because
// the editor saves them only by position.
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
      const meta = typeof title === "string" && title !== "" ? { _meta: { title } } : {};
      return [[String(node["id"]), { class_type: node["type"], inputs: Object.fromEntries(inputs), ...meta }]];
    }),
  );
}

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

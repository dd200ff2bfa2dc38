// The texts inside a saved picture, so that it can be opened as a workflow again.
import { applicationGraph } from "../graph/application-graph.ts";
import type { Graph } from "../graph/graph.ts";

export interface Embedded {
  readonly graph: Graph;
  readonly pngInfo: Readonly<Record<string, unknown>> | null;
}

// Names that every file format accepts for a text.
const textName = /^[!-<>-~]{1,79}$/;

// `prompt` first, then what the submission brought, each member under its own name: an editor's graph is `workflow`.
export function embeddedTexts({ graph, pngInfo }: Embedded): Map<string, string> {
  const texts = new Map([["prompt", plainJson(applicationGraph(graph))]]);
  for (const [name, value] of Object.entries(pngInfo ?? {}))
    if (textName.test(name) && !texts.has(name)) texts.set(name, plainJson(value));
  return texts;
}

// ASCII only, as the application writes it: not every part of every file format can hold more.
function plainJson(value: unknown): string {
  return exactJson(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// JSON in which a 64-bit seed keeps its digits.
export function exactJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(exactJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${exactJson(member)}`).join(", ")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

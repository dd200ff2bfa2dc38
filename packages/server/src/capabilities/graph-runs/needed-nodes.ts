// The nodes of a graph that its outputs need, in graph order. Only these run and are reported.
type Members = Readonly<Record<string, unknown>>;

export function neededNodes(graph: Members, isOutput: (classType: string) => boolean): string[] {
  const ids = Object.keys(graph);
  const needed = new Set(ids.filter((id) => isOutput(classIn(graph[id]))));
  const open = [...needed];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const inputs = memberOf(graph[id], "inputs");
    if (!isMembers(inputs)) continue;
    for (const name in inputs) {
      const source = sourceOf(inputs[name]);
      if (source === null || needed.has(source) || !Object.hasOwn(graph, source)) continue;
      needed.add(source);
      open.push(source);
    }
  }
  return ids.filter((id) => needed.has(id));
}

export function classIn(node: unknown): string {
  const name = memberOf(node, "class_type");
  return typeof name === "string" ? name : "";
}

// The title the graph gives a node.
export function titleIn(node: unknown): string | null {
  const title = memberOf(memberOf(node, "_meta"), "title");
  return typeof title === "string" && title.trim() !== "" ? title.trim() : null;
}

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;
const memberOf = (value: unknown, name: string): unknown =>
  isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function sourceOf(value: unknown): string | null {
  const source: unknown = Array.isArray(value) && value.length === 2 ? value[0] : null;
  return typeof source === "string" ? source : null;
}

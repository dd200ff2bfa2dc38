// Reduces a transcript to what must be the same in every run: message types and their order, member names, the kind of
// each value, and states. Ids, times, file names and the number of progress ticks are left out.
import { type Heard, recordOf } from "./application-client.ts";

export function linesOf(heard: readonly Heard[]): readonly string[] {
  const lines: string[] = [];
  let states = "";
  for (const message of heard) {
    if ("bytes" in message) {
      lines.push(previewLine(message.bytes));
      continue;
    }
    const { type, data } = message;
    if (type === "progress_state") {
      const now = statesOf(data["nodes"]);
      if (now === states) continue;
      states = now;
    }
    const line = `${type} ${shapeOf(type === "progress_state" ? { ...data, nodes: "" } : data)}${detailOf(type, data)}`;
    if (line !== lines.at(-1) || type !== "progress") lines.push(line);
  }
  return lines;
}

// Member names, sorted; for a list, its first entry. Plain values show their kind, except text, which most are.
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${shapeOf(value[0])}]`;
  if (typeof value !== "object" || value === null)
    return value === null ? "null" : typeof value === "string" ? "" : typeof value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}${shapeOf(member) === "" ? "" : `:${shapeOf(member)}`}`).join(",")}}`;
}

function statesOf(nodes: unknown): string {
  return Object.entries(recordOf(nodes))
    .map(([id, node]) => `${id}:${String(recordOf(node)["state"])}`)
    .toSorted()
    .join(" ");
}

function detailOf(type: string, data: Readonly<Record<string, unknown>>): string {
  if (type === "progress_state") return ` ${statesOf(data["nodes"])}`;
  if (type === "executing" || type === "executed" || type === "progress") return ` ${String(data["node"])}`;
  if (type === "execution_cached") return ` ${String(data["nodes"])}`;
  if (type === "execution_error") return ` ${String(data["node_id"])} ${String(data["exception_type"])}`;
  if (type === "execution_interrupted") return ` ${String(data["node_id"])}`;
  if (type !== "status") return "";
  const { exec_info: info } = recordOf(data["status"]);
  return ` ${String(recordOf(info)["queue_remaining"])}`;
}

function previewLine(bytes: Buffer): string {
  const kind = bytes.readUInt32BE(0);
  if (kind !== 4) return `preview ${kind} format ${bytes.readUInt32BE(4)}`;
  const about = recordOf(JSON.parse(bytes.subarray(8, 8 + bytes.readUInt32BE(4)).toString()));
  return `preview 4 ${shapeOf(about)} ${String(about["node_id"])} ${String(about["image_type"])}`;
}

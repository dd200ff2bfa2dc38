// A graph in the form an application accepts: a reference to an asset becomes the file's name, as its uploader wrote it.
import { assetTag, isRecord } from "./graph.ts";

export function applicationGraph(graph: object): object {
  return Object.fromEntries(Object.entries(graph).map(([id, node]) => [id, named(node)]));
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (!isRecord(value)) return value;
  if (value["__type"] === assetTag) return nameOf(value["info"]) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, named(member)]));
}

function nameOf(info: unknown): string | null {
  if (!isRecord(info)) return null;
  for (const name of [info["file_path"], info["id"]]) if (typeof name === "string" && name !== "") return name;
  return null;
}

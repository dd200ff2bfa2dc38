// The API-format graph: a map of node id → class and inputs. An input is a value, a link [node id, output index], or a reference
// to a file. All of it comes from untrusted callers, so we check everything before we use it.
export interface GraphNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title?: string };
}

export type Graph = Readonly<Record<string, GraphNode>>;

// [id of the node that makes the value, index of its output]
export type Link = readonly [nodeId: string, outputIndex: number];

type Folder = "input" | "output" | "temp";

// How a node names its file: an asset of the caller, or a name (with subfolder) in one of the three folders. A model's answer
// may name a URL instead; only the host can decide whether to read that.
export type FileReference =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "asset"; readonly id: string; readonly name: string | null }
  | { readonly kind: "name"; readonly folder: Folder; readonly name: string };

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The application takes any list of two whose first member is a string for a link, and so do we: a list that only looks like one
// is then refused, naming the node it does not find.
export function isLink(value: unknown): value is Link {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
}

// Wire literal of the v2 contract.
export const assetTag = "core/ASSET";

// `null` if it is neither a file name nor an asset reference.
export function fileReferenceOf(value: unknown): FileReference | null {
  if (typeof value === "string") return named(value);
  if (!isRecord(value) || value["__type"] !== assetTag) return null;
  const info = value["info"];
  if (!isRecord(info) || typeof info["id"] !== "string" || info["id"] === "") return null;
  const name = info["file_path"];
  return { kind: "asset", id: info["id"], name: typeof name === "string" ? name : null };
}

// `sub/file.png [output]`: a space and the folder in brackets say where to look for the file.
function named(text: string): FileReference {
  for (const folder of ["input", "output", "temp"] as const) {
    const suffix = ` [${folder}]`;
    if (text.endsWith(suffix)) return { kind: "name", folder, name: text.slice(0, -suffix.length) };
  }
  return { kind: "name", folder: "input", name: text };
}

// A list as a value is wrapped, because a bare list is a link.
export function unwrapped(value: unknown): unknown {
  return isRecord(value) && Object.hasOwn(value, "__value__") ? value["__value__"] : value;
}

// What nodes show when nothing is computed: every output node saves a small true file of its kind. For measuring what is
// in front of an application, not the application.
import type { Graph } from "@atelier/engine";
import type { Folders } from "./folders.ts";
import type { UiOutput } from "./history.ts";
import { constantOf } from "./light-nodes.ts";

// One white pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==",
  "base64",
);

export async function runStandIn(folders: Folders, graph: Graph, id: string): Promise<UiOutput | null> {
  const node = graph[id];
  if (node?.class_type === "PreviewAny") return { text: ["1"] };
  if (node?.class_type !== "SaveImage" && node?.class_type !== "PreviewImage") return null;
  const prefix = constantOf(graph, node.inputs["filename_prefix"])?.constant;
  const isPreview = node.class_type === "PreviewImage";
  const name = { prefix: typeof prefix === "string" ? prefix : "temp", extension: "png" };
  const file = await folders.save(isPreview ? "temp" : "output", name, { bytes: png });
  return file ? { images: [file] } : null;
}

// Where a graph takes a file in: `--each photos/*.png` needs no more than the files where there is one such input only.
import type { ApiGraph, NodeInput } from "./graph-inputs.ts";

const fileNames = ["image", "video", "audio", "file"];

// What loads is called so by its class; what it loads is a name, a reference to an asset, or not yet said.
export const fileInputs = (graph: ApiGraph): readonly NodeInput[] =>
  Object.entries(graph).flatMap(([nodeId, { class_type: classType, inputs = {} }]) => {
    if (!/Load/.test(String(classType))) return [];
    const here = fileNames.filter((input) => isFile(inputs[input]));
    const absent = /^LoadImage/.test(String(classType)) && inputs["image"] === undefined ? ["image"] : [];
    return [...here, ...absent].map((input) => ({ nodeId, input }));
  });

const isFile = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "object" && value !== null && "__type" in value);

// Finds the inputs of a graph that take a file. If there is only one, `--each photos/*.png` needs nothing but the files.
import type { ApiGraph, NodeInput } from "./graph-inputs.ts";

const fileNames = ["image", "video", "audio", "file"];

// A loader is recognised by its class name. Its input is a file name, a reference to an asset, or not set yet.
export const fileInputs = (graph: ApiGraph): readonly NodeInput[] =>
  Object.entries(graph).flatMap(([nodeId, { class_type: classType, inputs = {} }]) => {
    if (!/Load/.test(String(classType))) return [];
    const here = fileNames.filter((input) => isFile(inputs[input]));
    const absent = /^LoadImage/.test(String(classType)) && inputs["image"] === undefined ? ["image"] : [];
    return [...here, ...absent].map((input) => ({ nodeId, input }));
  });

const isFile = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "object" && value !== null && "__type" in value);

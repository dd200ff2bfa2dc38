// What a version needs from the server and its workers, recorded when it is published: node classes with a signature, models with
// the version of their definition, files by hash. A class may later get other inputs; the signature shows that it did.
import { createHash } from "node:crypto";
import type { WorkNeeds } from "@atelier/contract";
import { canonicalJson } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import type { DescribedClasses } from "../../graphs/index.ts";
import { needsOf } from "../../jobs/index.ts";

export interface NeededFile {
  readonly name: string;
  readonly sha256: string;
}

export interface NeedsSources {
  readonly classes: DescribedClasses;
  // The models of the router that a node may call.
  readonly modelsOf: (classType: string, inputs: JsonRecord) => readonly string[];
  // The version of a model's definition. Null for models that have none.
  readonly definitionVersion: (modelId: string) => Promise<number | null>;
}

export async function recordNeeds(
  { classes, modelsOf, definitionVersion }: NeedsSources,
  { graph, files, works }: { graph: JsonRecord; files: readonly NeededFile[]; works: readonly string[] },
): Promise<WorkNeeds> {
  const { classes: names, models: weights } = needsOf(graph);
  const models = await Promise.all(
    modelsIn(graph, modelsOf).map(async (id) => ({ id, definition_version: await definitionVersion(id) })),
  );
  const own = [...new Map(files.map((file) => [file.name, { ...file }])).values()];
  return {
    node_classes: names.map((name) => ({ name, signature: classSignature(classes.descriptions.get(name)) })),
    models,
    files: [...own, ...weights.map((name) => ({ name, sha256: null }))].sort((a, b) => (a.name < b.name ? -1 : 1)),
    works: [...works],
  };
}

function modelsIn(graph: JsonRecord, modelsOf: NeedsSources["modelsOf"]): string[] {
  const found = Object.values(graph).flatMap((node) => {
    const classType = isRecord(node) ? memberOf(node, "class_type") : undefined;
    const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
    const called = typeof classType === "string" && isRecord(inputs) ? modelsOf(classType, inputs) : [];
    return called.map((id) => id.trim()).filter((id) => id !== "");
  });
  return [...new Set(found)].sort();
}

// Names and types of inputs, and types of outputs. The choices of an input do not count: for many classes they are the files
// that a worker happens to have.
export function classSignature(description: unknown): string {
  const inputs = isRecord(description) ? memberOf(description, "input") : undefined;
  const outputs = isRecord(description) ? memberOf(description, "output") : undefined;
  const kinds = ["required", "optional"].map((kind) => {
    const members = isRecord(inputs) ? memberOf(inputs, kind) : undefined;
    if (!isRecord(members)) return {};
    return Object.fromEntries(Object.entries(members).map(([name, input]) => [name, typeOf(input)]));
  });
  const shape = { inputs: kinds, outputs: Array.isArray(outputs) ? outputs.map(typeOf) : [] };
  return createHash("sha256").update(canonicalJson(shape)).digest("hex");
}

// An input is a list of its type and its options; a list of choices in place of a type is a choice.
function typeOf(described: unknown): string {
  const type: unknown = Array.isArray(described) ? described[0] : described;
  return typeof type === "string" ? type : "COMBO";
}

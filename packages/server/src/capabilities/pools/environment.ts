// What a worker can run. Identical workers have the same environment, so it is sent and stored once, under the hash of its
// content.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../foundation/json/json-canonical.ts";

export interface WorkerEnvironment {
  readonly engine: "embedded" | "application";
  readonly version: string;
  // Node class → hash of its description.
  readonly classes: Readonly<Record<string, string>>;
}

// By class, in the format of an application's object_info; the content is not checked.
export type NodeClassDescriptions = Readonly<Record<string, unknown>>;

export function hashEnvironment(environment: WorkerEnvironment): Buffer {
  const { engine, version, classes } = environment;
  return createHash("sha256").update(canonicalJson({ engine, version, classes })).digest();
}

const hashLength = 16;

export function describeEnvironment(
  engine: WorkerEnvironment["engine"],
  version: string,
  descriptions: NodeClassDescriptions,
): WorkerEnvironment {
  const classes = Object.entries(descriptions).map(([name, description]) => [
    name,
    createHash("sha256").update(canonicalJson(description)).digest("hex").slice(0, hashLength),
  ]);
  return { engine, version, classes: Object.fromEntries(classes) };
}

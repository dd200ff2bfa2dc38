// What a worker can run. Workers that are alike have the same environment, so it is brought and stored once, under the
// hash of what it says.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../foundation/json/json-canonical.ts";

export interface WorkerEnvironment {
  readonly engine: "embedded" | "application";
  readonly version: string;
  // Node class → hash of its description.
  readonly classes: Readonly<Record<string, string>>;
}

// As an application's object_info has them: by class, whatever stands in them.
export type NodeClassDescriptions = Readonly<Record<string, unknown>>;

export function environmentIdOf(environment: WorkerEnvironment): Buffer {
  const { engine, version, classes } = environment;
  return createHash("sha256").update(canonicalJson({ engine, version, classes })).digest();
}

const hashLength = 16;

export function environmentOfDescriptions(
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

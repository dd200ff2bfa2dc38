// The node classes of the application: what the engine can run (except those that call our own router), and four that run here,
// inside the process, so that waiting takes no child process.
import { builtInClasses, type ClassDescriptions, type NodeClassDescription } from "@atelier/engine";

const testClass = (
  displayName: string,
  description: string,
  inputs: NodeClassDescription["inputs"],
  outputs: NodeClassDescription["outputs"] = [{ type: "*", name: "*" }],
): NodeClassDescription => ({
  name: displayName.replaceAll(" ", ""),
  displayName,
  category: "_for_testing",
  description,
  inputs,
  outputs,
  isOutputNode: outputs.length === 0,
});

// With progress while it waits.
const testSleep = testClass("Test Sleep", "Passes its value on after some seconds.", [
  { name: "value", type: "*" },
  { name: "seconds", type: "FLOAT", default: 1, min: 0, max: 9999, step: 0.01 },
]);

const testSyncError = testClass("Test Sync Error", "Always fails.", [{ name: "value", type: "*" }]);

// An output of a given size that needs no picture: for load, and for file types that the engine does not make.
const testFile = testClass(
  "Test File",
  "Saves a file of this many bytes with any key and extension.",
  [
    { name: "value", type: "*", optional: true },
    { name: "bytes", type: "INT", default: 16, min: 0, max: 64 * 1024 ** 2 },
    { name: "extension", type: "STRING", default: "bin" },
    { name: "key", type: "STRING", default: "files" },
    { name: "filename_prefix", type: "STRING", default: "file" },
  ],
  [],
);

// Takes a model from disk by name, and loads nothing: for graphs that are routed by their models.
const loadCheckpoint = (names: readonly string[]): NodeClassDescription => ({
  name: "CheckpointLoaderSimple",
  displayName: "Load Checkpoint",
  category: "loaders",
  description: "Names a model of the folder models/checkpoints.",
  inputs: [{ name: "ckpt_name", type: "COMBO", options: names }],
  outputs: [
    { type: "*", name: "MODEL" },
    { type: "*", name: "CLIP" },
    { type: "*", name: "VAE" },
  ],
  isOutputNode: false,
});

// `checkpoints`: the names on disk, which decide what that class accepts.
export function classesWith(checkpoints: readonly string[]): ClassDescriptions {
  return new Map([...applicationClasses, ["CheckpointLoaderSimple", loadCheckpoint(checkpoints)]]);
}

const testClasses = [testSleep, testSyncError, testFile, loadCheckpoint([])];

export const applicationClasses: ClassDescriptions = new Map([
  ...[...builtInClasses].filter(([, { callsModel }]) => !callsModel),
  ...testClasses.map((description) => [description.name, description] as const),
]);

export const testClassNames: ReadonlySet<string> = new Set(testClasses.map(({ name }) => name));

// The input whose value a test class passes on.
export const handedOn = (className: string) => (className === "CheckpointLoaderSimple" ? "ckpt_name" : "value");

// Classes whose result is never taken from an earlier run.
export const neverCached: ReadonlySet<string> = new Set(["SaveImageWebsocket", "TestSyncError"]);

// The node classes of the application: what the engine can run (without those that call our own router), and four that
// are run here, inside the process, so that waiting takes no child process.
import { builtInClasses, type ClassDescriptions, type NodeClassDescription } from "@atelier/engine";

const category = "_for_testing";

// Hands its value on after so many seconds, with progress.
const testSleep: NodeClassDescription = {
  name: "TestSleep",
  displayName: "Test Sleep",
  category,
  description: "Hands its value on after some seconds.",
  inputs: [
    { name: "value", type: "*" },
    { name: "seconds", type: "FLOAT", default: 1, min: 0, max: 9999, step: 0.01 },
  ],
  outputs: [{ type: "*", name: "*" }],
  isOutputNode: false,
};

const testSyncError: NodeClassDescription = {
  name: "TestSyncError",
  displayName: "Test Sync Error",
  category,
  description: "Always fails.",
  inputs: [{ name: "value", type: "*" }],
  outputs: [{ type: "*", name: "*" }],
  isOutputNode: false,
};

// An output of so many bytes that needs no picture: for load, and for kinds of file that the engine does not make.
const testFile: NodeClassDescription = {
  name: "TestFile",
  displayName: "Test File",
  category,
  description: "Saves a file of so many bytes under any key and extension.",
  inputs: [
    { name: "value", type: "*", optional: true },
    { name: "bytes", type: "INT", default: 16, min: 0, max: 64 * 1024 ** 2 },
    { name: "extension", type: "STRING", default: "bin" },
    { name: "key", type: "STRING", default: "files" },
    { name: "filename_prefix", type: "STRING", default: "file" },
  ],
  outputs: [],
  isOutputNode: true,
};

// Takes a model from the disk by name, and loads nothing: for graphs that are placed by their models.
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

export const applicationClasses: ClassDescriptions = new Map([
  ...[...builtInClasses].filter(([, { callsModel }]) => !callsModel),
  ...[testSleep, testSyncError, testFile, loadCheckpoint([])].map(
    (description) => [description.name, description] as const,
  ),
]);

export const testClassNames: ReadonlySet<string> = new Set([
  "TestSleep",
  "TestSyncError",
  "TestFile",
  "CheckpointLoaderSimple",
]);

// The input whose value a test class hands on.
export const handedOn = (className: string) => (className === "CheckpointLoaderSimple" ? "ckpt_name" : "value");

// Classes whose result is never taken from an earlier run.
export const neverCached: ReadonlySet<string> = new Set(["SaveImageWebsocket", "TestSyncError"]);

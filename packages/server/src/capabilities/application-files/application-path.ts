// A name below the application's base folder, checked completely before anything touches the disk: which of the four
// folders it is in, and what the application calls it. Paths that lead outside, and files that the application would
// execute rather than load, are not allowed.
import { Fault } from "../../foundation/fault.ts";
import { requireFilePath } from "../assets/index.ts";

export const applicationRoots = ["input", "output", "temp", "models"] as const;
export type ApplicationRoot = (typeof applicationRoots)[number];

export interface ApplicationPath {
  readonly root: ApplicationRoot;
  // Below the root, at least one.
  readonly segments: readonly string[];
}

// Folders of model files that the application lists by name. Folders with configuration or code are not included.
export const modelFolders: ReadonlySet<string> = new Set([
  "audio_encoders",
  "checkpoints",
  "clip",
  "clip_vision",
  "controlnet",
  "diffusion_models",
  "embeddings",
  "gligen",
  "hypernetworks",
  "latent_upscale_models",
  "loras",
  "model_patches",
  "photomaker",
  "style_models",
  "text_encoders",
  "unet",
  "upscale_models",
  "vae",
  "vae_approx",
]);

const modelSuffix = ".safetensors";

// Null if it is an ordinary name, in no folder of the application.
export function readApplicationPath(filePath: string): ApplicationPath | null {
  const [first, ...segments] = filePath.split("/");
  const root = applicationRoots.find((name) => name === first);
  return root === undefined || segments.length === 0 ? null : { root, segments };
}

export function requireApplicationPath(filePath: string): ApplicationPath {
  const path = readApplicationPath(requireFilePath(filePath));
  if (path === null) throw wrongPath(`must be below ${applicationRoots.join("/, ")}/`);
  return path;
}

// Whether a file of this name is a model to be placed. Throws validation_failed if it claims to be one but is not
// allowed.
export function isModelPath(filePath: string): boolean {
  const [root, folder = "", ...rest] = filePath.split("/");
  if (root !== "models") return false;
  if (!modelFolders.has(folder)) throw wrongPath(`must name a model folder: ${[...modelFolders].join(", ")}`);
  const name = rest.at(-1);
  // Other formats can contain programs that run on loading.
  if (name === undefined || !name.endsWith(modelSuffix) || name === modelSuffix)
    throw wrongPath(`must name a ${modelSuffix} file`);
  if (rest.some((segment) => segment.startsWith("."))) throw wrongPath("must not contain a hidden file or folder");
  return true;
}

// The value for a graph's input: loaders pick the folder by a suffix after the name, and lists of models start below
// their own folder.
export function nameInGraph({ root, segments }: ApplicationPath): string {
  switch (root) {
    case "input":
      return segments.join("/");
    case "models":
      return segments.slice(1).join("/");
    default:
      return `${segments.join("/")} [${root}]`;
  }
}

function wrongPath(problem: string): Fault {
  return new Fault("validation_failed", `file_path ${problem}.`, { details: { field: "file_path" } });
}

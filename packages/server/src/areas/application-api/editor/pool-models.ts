// The weights that applications of the pool have, by the application's folders. Workers describe only their classes, so a folder
// holds what the class that loads from it offers.
import { isRecord } from "../../../foundation/json/json-record.ts";

// Folder → the classes that load from it, with the input that names the file.
const loaders: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  checkpoints: [
    ["CheckpointLoaderSimple", "ckpt_name"],
    ["ImageOnlyCheckpointLoader", "ckpt_name"],
  ],
  loras: [
    ["LoraLoader", "lora_name"],
    ["LoraLoaderModelOnly", "lora_name"],
  ],
  vae: [["VAELoader", "vae_name"]],
  text_encoders: [["CLIPLoader", "clip_name"]],
  diffusion_models: [["UNETLoader", "unet_name"]],
  clip_vision: [["CLIPVisionLoader", "clip_name"]],
  style_models: [["StyleModelLoader", "style_model_name"]],
  embeddings: [],
  controlnet: [["ControlNetLoader", "control_net_name"]],
  gligen: [["GLIGENLoader", "gligen_name"]],
  upscale_models: [["UpscaleModelLoader", "model_name"]],
  hypernetworks: [["HypernetworkLoader", "hypernetwork_name"]],
  photomaker: [["PhotoMakerLoader", "photomaker_model_name"]],
  audio_encoders: [["AudioEncoderLoader", "audio_encoder_name"]],
  model_patches: [["ModelPatchLoader", "name"]],
  latent_upscale_models: [["LatentUpscaleModelLoader", "model_name"]],
};

export const modelFolders: readonly string[] = Object.keys(loaders);

// Null if there is no such folder.
export function modelFiles(classes: ReadonlyMap<string, unknown>, folder: string): readonly string[] | null {
  if (!Object.hasOwn(loaders, folder)) return null;
  const offered = (loaders[folder] ?? []).flatMap(([name, input]) => choicesOf(classes.get(name), input));
  return [...new Set(offered)].sort();
}

// A list of choices, or a COMBO whose options name them.
function choicesOf(description: unknown, input: string): string[] {
  const inputs = isRecord(description) && isRecord(description["input"]) ? description["input"] : {};
  const given = [inputs["required"], inputs["optional"]].find(
    (group) => isRecord(group) && Object.hasOwn(group, input),
  );
  const [type, options]: unknown[] = isRecord(given) && Array.isArray(given[input]) ? given[input] : [];
  const choices = Array.isArray(type) ? type : isRecord(options) ? options["options"] : [];
  return (Array.isArray(choices) ? choices : []).filter((choice) => typeof choice === "string");
}

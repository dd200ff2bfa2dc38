// The application's newer version of the same classes: other words, outputs that pass on what was saved, wider ranges. A class
// that only computes differently checks the context's profile.
import type { NodeRunner } from "../execution/node-runner.ts";
import { int, output, sideMax, text, wholeMax } from "../graph/describe-inputs.ts";
import type { InputDescription, NodeClassDescription, OutputDescription } from "../graph/node-class.ts";
import { newerBatchImagesNode, newerBatchLatentsNode, newerBatchMasksNode } from "./grown-batches.ts";
import { newerWords } from "./newer-words.ts";
import { newerResizeImageMaskNode } from "./resize-image-mask.ts";
import { newerPreviewAny } from "./sounds-and-films/animation-sinks.ts";
import { newerCreateVideo, newerGetVideoComponents } from "./sounds-and-films/sounds.ts";
import { newerSaveVideo } from "./sounds-and-films/videos.ts";
import { newerCustomCombo } from "./words/logic.ts";

// Classes whose description differs in more than words.
const replaced: ReadonlyMap<string, NodeRunner> = new Map(
  [
    newerBatchImagesNode,
    newerBatchMasksNode,
    newerBatchLatentsNode,
    newerCustomCombo,
    newerResizeImageMaskNode,
    newerCreateVideo,
    newerGetVideoComponents,
    newerSaveVideo,
    newerPreviewAny,
  ].map((runner) => [runner.description.name, runner]),
);

// These pass on what they saved or showed.
const handsOn: Readonly<Record<string, OutputDescription>> = {
  SaveImage: output("IMAGE", "images"),
  PreviewImage: output("IMAGE", "images"),
  SaveAnimatedPNG: output("IMAGE", "images"),
  SaveAnimatedWEBP: output("IMAGE", "images"),
  SaveWEBM: output("IMAGE", "images"),
  MaskPreview: output("MASK", "mask"),
  SaveLatent: output("LATENT", "samples"),
  SaveAudio: output("AUDIO", "audio"),
  SaveAudioMP3: output("AUDIO", "audio"),
  SaveAudioOpus: output("AUDIO", "audio"),
  PreviewAudio: output("AUDIO", "audio"),
  SaveVideo: output("VIDEO", "video"),
};

// A negative index counts from the end.
const index = int("batch_index", 0, -sideMax, sideMax);
const widened: Readonly<Record<string, InputDescription>> = {
  ImageFromBatch: index,
  LatentFromBatch: index,
  ShuffleImageTextDataset: text("texts", "", { isSocket: true }),
  // Editors leave the value unchanged by default.
  PrimitiveInt: int("value", 0, -wholeMax, wholeMax, { controlAfterGenerate: "fixed" }),
};

export function newer(older: NodeRunner): NodeRunner {
  const runner = handingOn(replaced.get(older.description.name) ?? older);
  return { ...runner, description: inNewerWords(runner.description) };
}

function handingOn(runner: NodeRunner): NodeRunner {
  const handed = handsOn[runner.description.name];
  if (!handed) return runner;
  return {
    ...runner,
    description: { ...runner.description, outputs: [handed] },
    async run(inputs, context) {
      await runner.run(inputs, context);
      return [inputs.value(handed.name)];
    },
  };
}

function inNewerWords(description: NodeClassDescription): NodeClassDescription {
  const { advanced = [], ...words } = newerWords[description.name] ?? {};
  const wide = widened[description.name];
  const inputs = description.inputs.map((input) => {
    const known = wide?.name === input.name ? wide : input;
    return advanced.includes(input.name) ? { ...known, advanced: true } : known;
  });
  return { ...description, ...words, inputs };
}

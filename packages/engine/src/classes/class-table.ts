// Every class the engine runs. A class that is not in this list does not exist.
import type { ApplicationProfile } from "../application-profile.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { imageCompare, resolutionSelector, saveAudioAdvanced, saveImageAdvanced, saveText } from "./advanced-sinks.ts";
import { joinImageWithAlpha, porterDuffImageComposite, splitImageWithAlpha } from "./alpha.ts";
import { ltxvPreprocess } from "./compress-pictures.ts";
import { datasetImages } from "./dataset-images.ts";
import { batchImagesNode, batchLatentsNode, batchMasksNode } from "./grown-batches.ts";
import { canny, imageRgbToYuv, imageYuvToRgb, morphology } from "./image-analysis.ts";
import { imageBlend, imageBlur, imageCompositeMasked, imageInvert, imageSharpen } from "./image-arithmetic.ts";
import { getImageSize, imageBatch, imageFromBatch, repeatImageBatch } from "./image-batches.ts";
import { imageAddNoise, imageQuantize } from "./image-colours.ts";
import {
  fluxKontextImageScale,
  imageScale,
  imageScaleBy,
  imageScaleToMaxDimension,
  imageScaleToTotalPixels,
  resizeAndPadImage,
} from "./image-scaling.ts";
import { maskPreview, previewImage, saveImage } from "./image-sinks.ts";
import { emptyImage, loadImage, loadImageMask, loadImageOutput } from "./image-sources.ts";
import { imageStitch } from "./image-stitch.ts";
import { imageCrop, imageFlip, imagePadForOutpaint, imageRotate } from "./image-transforms.ts";
import { emptyLatentImage, emptyLatents } from "./latents/empty-latents.ts";
import {
  latentAdd,
  latentBlend,
  latentInterpolate,
  latentMultiply,
  latentSubtract,
} from "./latents/latent-arithmetic.ts";
import {
  latentBatch,
  latentBatchSeedBehavior,
  latentFromBatch,
  repeatLatentBatch,
  replaceVideoLatentFrames,
  setLatentNoiseMask,
  trimVideoLatent,
} from "./latents/latent-batches.ts";
import {
  latentApplyOperation,
  latentOperationSharpen,
  latentOperationTonemapReinhard,
} from "./latents/latent-operations.ts";
import {
  latentComposite,
  latentCompositeMasked,
  latentConcat,
  latentCrop,
  latentCut,
  latentCutToBatch,
  latentUpscale,
  latentUpscaleBy,
} from "./latents/latent-shapes.ts";
import { latentFlip, latentRotate, loadLatent, saveLatent } from "./latents/latents.ts";
import { rebatchLatents } from "./latents/rebatch-latents.ts";
import { growMask, imageColorToMask, imageToMask, maskComposite, maskToImage } from "./mask-arithmetic.ts";
import { cropMask, featherMask, invertMask, solidMask, thresholdMask } from "./mask-sources.ts";
import { modelImage } from "./model-image.ts";
import { newer } from "./newer-classes.ts";
import { preview3d, save3dAdvanced, saveGlb, saveSvgNode } from "./passed-on-files.ts";
import { pictureLists, rebatchImages } from "./picture-lists.ts";
import { resizeImageMaskNode } from "./resize-image-mask.ts";
import {
  previewAny,
  saveAnimatedPng,
  saveAnimatedWebp,
  saveImageWebsocket,
} from "./sounds-and-films/animation-sinks.ts";
import { normalizeVideoLatentStart } from "./sounds-and-films/normalize-film.ts";
import { videoSlice } from "./sounds-and-films/slice-film.ts";
import {
  audioAdjustVolume,
  audioConcat,
  audioMerge,
  splitAudioChannels,
  trimAudioDuration,
} from "./sounds-and-films/sound-arithmetic.ts";
import {
  createVideo,
  emptyAudio,
  getVideoComponents,
  loadAudio,
  previewAudio,
  saveAudio,
} from "./sounds-and-films/sounds.ts";
import { loadVideo, saveAudioMp3, saveAudioOpus, saveVideo, saveWebm } from "./sounds-and-films/videos.ts";
import { customCombo, switchNode } from "./words/logic.ts";
import { comfyMathExpression, comfyNumberConvert, jsonExtractString } from "./words/numbers.ts";
import { primitives } from "./words/primitives.ts";
import { regexExtract, regexMatch, regexReplace } from "./words/regexes.ts";
import { stringClasses } from "./words/strings.ts";

const runners: readonly NodeRunner[] = [
  emptyImage,
  loadImage,
  loadImageMask,
  loadImageOutput,
  imageScale,
  imageScaleBy,
  imageScaleToTotalPixels,
  fluxKontextImageScale,
  imageScaleToMaxDimension,
  resizeAndPadImage,
  imageInvert,
  imageBlend,
  imageBlur,
  imageSharpen,
  imageCompositeMasked,
  imageCrop,
  imageFlip,
  imageRotate,
  imagePadForOutpaint,
  imageStitch,
  imageBatch,
  repeatImageBatch,
  imageFromBatch,
  getImageSize,
  imageQuantize,
  imageAddNoise,
  splitImageWithAlpha,
  joinImageWithAlpha,
  porterDuffImageComposite,
  maskToImage,
  imageToMask,
  imageColorToMask,
  maskComposite,
  growMask,
  solidMask,
  invertMask,
  featherMask,
  cropMask,
  thresholdMask,
  ...stringClasses,
  regexMatch,
  regexExtract,
  regexReplace,
  ...primitives,
  modelImage,
  saveImage,
  previewImage,
  maskPreview,
  saveAnimatedWebp,
  saveAnimatedPng,
  saveImageWebsocket,
  previewAny,
  emptyLatentImage,
  latentFlip,
  latentRotate,
  ...emptyLatents,
  latentAdd,
  latentSubtract,
  latentMultiply,
  latentInterpolate,
  latentBlend,
  latentUpscale,
  latentUpscaleBy,
  latentCrop,
  latentConcat,
  latentCut,
  latentCutToBatch,
  latentComposite,
  latentCompositeMasked,
  latentBatch,
  latentFromBatch,
  repeatLatentBatch,
  latentBatchSeedBehavior,
  setLatentNoiseMask,
  replaceVideoLatentFrames,
  trimVideoLatent,
  normalizeVideoLatentStart,
  latentApplyOperation,
  latentOperationTonemapReinhard,
  latentOperationSharpen,
  saveLatent,
  loadLatent,
  ...datasetImages,
  ...pictureLists,
  rebatchImages,
  rebatchLatents,
  resizeImageMaskNode,
  batchImagesNode,
  batchMasksNode,
  batchLatentsNode,
  switchNode,
  customCombo,
  morphology,
  canny,
  imageRgbToYuv,
  imageYuvToRgb,
  trimAudioDuration,
  splitAudioChannels,
  audioConcat,
  audioMerge,
  audioAdjustVolume,
  emptyAudio,
  loadAudio,
  saveAudio,
  previewAudio,
  saveAudioMp3,
  saveAudioOpus,
  loadVideo,
  createVideo,
  getVideoComponents,
  saveVideo,
  saveWebm,
  ltxvPreprocess,
  saveImageAdvanced,
  imageCompare,
  saveText,
  resolutionSelector,
  saveAudioAdvanced,
  comfyMathExpression,
  comfyNumberConvert,
  jsonExtractString,
  videoSlice,
  saveSvgNode,
  saveGlb,
  save3dAdvanced,
  preview3d,
];

const byName = (all: readonly NodeRunner[]): ReadonlyMap<string, NodeRunner> =>
  new Map(all.map((runner) => [runner.description.name, runner]));

const tables: Readonly<Record<ApplicationProfile, ReadonlyMap<string, NodeRunner>>> = {
  "0.7": byName(runners),
  "0.30": byName(runners.map(newer)),
};

export const classTableOf = (profile: ApplicationProfile): ReadonlyMap<string, NodeRunner> => tables[profile];

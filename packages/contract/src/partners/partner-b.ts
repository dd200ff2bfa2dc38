// Partner-b: prompts that become videos. Ranges and nested objects: decisions, section 4. The server forwards raw bytes, so a
// 64-bit seed keeps every digit; the schemas only say what is refused.
import { Type } from "typebox";
import { limits } from "../limits.ts";
import { entity, partnerTaskEvent, Timestamp, webhookUrl, wordOf } from "../wire-values.ts";

const side = (initial: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 64, maximum: 2_560, default: initial, description }));
const integer = (initial: number, description: string) =>
  Type.Optional(Type.Integer({ default: initial, description }));
const number = (initial: number, description: string) => Type.Optional(Type.Number({ default: initial, description }));
const flag = (initial: boolean, description: string) => Type.Optional(Type.Boolean({ default: initial, description }));

export const InferenceParams = entity("InferenceParams", "Settings of the video generation.", {
  add_quality_guidance: flag(true, "Adds guidance towards higher quality."),
  caching_coefficient: number(0.3, "How much is reused from the cache."),
  caching_cooldown: integer(3, "Final steps that do not use the cache."),
  caching_warmup: integer(3, "First steps that do not use the cache."),
  clip_value: number(3, "Where guidance is clipped."),
  conditioning_frame_index: integer(0, "The frame that the image conditions."),
  cooldown_steps: integer(75, "Steps over which guidance fades out."),
  fps: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 24, description: "Frames per second." })),
  guidance_scale: Type.Optional(
    Type.Number({ minimum: 1, maximum: 20, default: 10, description: "How closely the prompt is followed." }),
  ),
  height: side(1_080, "Height in pixels."),
  negative_prompt: Type.Optional(
    Type.String({ maxLength: limits.promptTextLengthMax, description: "What the video should not show." }),
  ),
  num_frames: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 128, default: 64, description: "How many frames are made." }),
  ),
  seed: Type.Optional(
    Type.Integer({
      format: "int64",
      description: "Any 64-bit integer. The same seed gives the same noise. Random by default.",
    }),
  ),
  shift_value: number(3, "Time step shift."),
  steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 80, description: "Denoising steps." })),
  use_guidance_schedule: flag(true, "Lets guidance change over the steps."),
  use_negative_prompts: flag(false, "Whether negative_prompt is used."),
  use_timestep_transform: flag(true, "Transforms the time steps."),
  warmup_steps: integer(0, "Steps over which guidance ramps up."),
  width: side(1_920, "Width in pixels."),
});

export const Keyframes = Type.Record(Type.String(), Type.Object({ image_url: Type.String({ minLength: 1 }) }), {
  title: "Keyframes",
  description: "Images by frame number.",
});

const promptFields = {
  prompt_text: Type.Optional(
    Type.String({ maxLength: limits.promptTextLengthMax, description: "What the video should show." }),
  ),
  image_url: Type.Optional(
    Type.String({
      minLength: 1,
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/]",
      description: "The image the video starts from: an http or https URL.",
    }),
  ),
  inference_params: Type.Optional(InferenceParams),
  webhook_url: Type.Optional(webhookUrl("Called on every status change of the prompt. Must be https on port 443.")),
};

// Decisions, section 4: prompt_text has 1 to 5000 characters unless there is an image.
const promptTextGiven = { required: ["prompt_text"], properties: { prompt_text: { minLength: 1 } } };

export const TextToVideoRequest = entity(
  "TextToVideoRequest",
  "A text, with or without an image, to make a video from.",
  promptFields,
  { anyOf: [promptTextGiven, { required: ["image_url"] }] },
);

export const ImageToVideoRequest = entity(
  "ImageToVideoRequest",
  "An image or key frames to make a video from.",
  { ...promptFields, keyframes: Type.Optional(Keyframes) },
  { anyOf: [{ required: ["image_url"] }, { required: ["keyframes"] }] },
);

// pending → processing → completed | error. A prompt may skip states forward.
export const PromptStatus = wordOf(["pending", "processing", "completed", "error"], {
  title: "PromptStatus",
  description: "The prompt's status.",
});

const promptObject = {
  id: Type.String({ minLength: 1, description: "The prompt's id." }),
  status: PromptStatus,
  prompt_text: Type.String({ description: "The submitted text. Empty if there was none." }),
  output_url: Type.Optional(Type.String({ format: "uri", description: "The video. Absent until completed." })),
  error: Type.Optional(
    Type.Object(
      { code: Type.String({ minLength: 1 }), message: Type.String() },
      { description: "Why the prompt failed. Absent otherwise." },
    ),
  ),
  frame_conditioning: Type.Object(
    { image_url: Type.Optional(Type.String()), keyframes: Type.Optional(Keyframes) },
    { description: "The submitted image or key frames. Empty if there were none." },
  ),
  inference_params: InferenceParams,
  model_params: Type.Object({ model: Type.String() }, { description: "The model to use." }),
  meta: Type.Object(
    {
      created_at: Timestamp,
      completed_at: Type.Optional(Timestamp),
      duration_s: Type.Optional(Type.Number({ minimum: 0, description: "Seconds from creation to completion." })),
    },
    { description: "When it happened." },
  ),
};

export const PartnerBPrompt = entity(
  "PartnerBPrompt",
  "A prompt at partner-b: waiting, running or ended.",
  promptObject,
);

export const PartnerBPromptNotification = entity("PartnerBPromptNotification", "What webhook_url receives.", {
  ...promptObject,
  sequence: Type.Integer({ minimum: 1, description: "1 is the first change after creation." }),
  type: partnerTaskEvent,
});

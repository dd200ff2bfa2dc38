import { type Example, time, uuid } from "./example.ts";

const relight = {
  image: "https://images.example/portrait.png",
  prompt: "(warm evening light:1.3)",
  transfer_light_from_lightmap: "aGVsbG8=",
  light_transfer_strength: 80,
  style: "contrasted_n_hdr",
  advanced_settings: { whites: 50.5, engine: "illusio", transfer_light_b: "strong_mid", fixed_generation: true },
  webhook_url: "https://hooks.example/a",
};
const skin = { image: "https://images.example/face.png", sharpen: 0, smart_grain: 100 };
const task = { task_id: uuid, status: "IN_PROGRESS", generated: [] };
const inference = { seed: 42, fps: 24, width: 1920, height: 1080, guidance_scale: 4.5, steps: 33, num_frames: 128 };
const prompt = {
  id: "p-1",
  status: "completed",
  prompt_text: "a fox in the snow",
  output_url: "https://videos.example/1.mp4",
  frame_conditioning: {},
  inference_params: inference,
  model_params: { model: "video-1" },
  meta: { created_at: time, completed_at: time, duration_s: 41.2 },
};

export const partnerProxyExamples: Record<string, Example> = {
  RelightSettings: {
    good: relight.advanced_settings,
    broken: { whites: 101, engine: "magic", transfer_light_a: "composition", fixed_generation: "no" },
  },
  RelightRequest: {
    good: relight,
    broken: {
      image: undefined,
      light_transfer_strength: 100.5,
      style: "darker",
      transfer_light_from_reference_image: "https://images.example/light.png",
      "advanced_settings.blacks": -1,
      webhook_url: "not a url",
    },
  },
  SkinEnhancerFlexibleRequest: {
    good: { ...skin, optimized_for: "no_make_up" },
    broken: { image: "", sharpen: 101, smart_grain: -1, optimized_for: "everything" },
  },
  SkinEnhancerCreativeRequest: { good: skin, broken: { image: undefined, sharpen: 1.5 } },
  SkinEnhancerFaithfulRequest: { good: { ...skin, skin_detail: 80 }, broken: { skin_detail: 101 } },
  PartnerATaskStatus: { good: "CREATED", broken: { "": "created" } },
  PartnerATaskResult: {
    good: { data: task },
    broken: { data: undefined, "data.status": "DONE", "data.generated": [1] },
  },
  PartnerATaskNotification: {
    good: { ...task, sequence: 1, type: "partner_task.completed" },
    broken: { sequence: 0, task_id: "7" },
  },
  InferenceParams: {
    good: inference,
    broken: { fps: 61, width: 63, height: 2561, guidance_scale: 0.5, steps: 0, num_frames: 129, seed: 1.5 },
  },
  Keyframes: { good: { "0": { image_url: "https://images.example/0.png" } }, broken: { "0": {} } },
  TextToVideoRequest: {
    good: { prompt_text: "a fox", inference_params: inference, webhook_url: "https://hooks.example/b" },
    broken: { prompt_text: "", "inference_params.negative_prompt": "x".repeat(5_001) },
  },
  ImageToVideoRequest: { good: { image_url: "https://images.example/0.png" }, broken: { image_url: undefined } },
  PromptStatus: { good: "error", broken: { "": "failed" } },
  PartnerBPrompt: {
    good: prompt,
    broken: { status: "done", output_url: null, error: null, frame_conditioning: null, "meta.created_at": undefined },
  },
  PartnerBPromptNotification: {
    good: { ...prompt, sequence: 3, type: "partner_task.completed" },
    broken: { sequence: undefined },
  },
  StorageRequest: {
    good: { file_name: "a.png", content_type: "image/png", file_hash: "ab".repeat(32) },
    broken: { file_name: "", content_type: "picture", file_hash: "abc" },
  },
  StorageTicket: {
    good: {
      upload_url: "https://content.example/c/uploads/1?e=1",
      download_url: "https://content.example/c/1?e=1",
      expires_at: time,
      existing_file: false,
    },
    broken: { upload_url: undefined, expires_at: null, existing_file: 0 },
  },
};

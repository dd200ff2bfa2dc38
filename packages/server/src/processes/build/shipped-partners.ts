// The two partners that ship with the server, as definitions (decisions, section 4). Where they are and who we are there
// comes from settings, or from the sandbox; a file of ATELIER_PARTNERS with the same slug takes a definition's place.
import {
  ImageToVideoRequest,
  RelightRequest,
  SkinEnhancerCreativeRequest,
  SkinEnhancerFaithfulRequest,
  SkinEnhancerFlexibleRequest,
  TextToVideoRequest,
} from "@atelier/contract";
import type { ImageRule, PartnerDefinition, PartnerOperation } from "../../capabilities/partners/index.ts";
import { furtherConditioning, furtherToolsOfA, furtherToolsOfB } from "./further-partner-tools.ts";

export interface PartnerLocation {
  readonly baseUrl: string | null;
  readonly ask?: NonNullable<PartnerDefinition["ask"]>;
}

// What is offered of a partner: what the contract names, or also what public clients of such proxies call.
export type PartnerOffer = "contract" | "further";

const common = {
  reference_header: "X-Request-Reference",
  idempotency_header: "Idempotency-Key",
  submit_timeout_ms: 60_000,
  poll: { interval_ms: 2_000, interval_ms_max: 10_000, timeout_ms: 10_000, at_once: 64 },
} as const;

const none: Pick<PartnerDefinition, "operations" | "reads"> = { operations: [], reads: [] };

const signedCallback = (setting: string): NonNullable<PartnerDefinition["callback"]> => ({
  member: "webhook_url",
  root: "",
  verify: "standard_webhooks_raw",
  setting,
});

const picture = (pointer: string, schemes: ImageRule["schemes"]): ImageRule => ({
  pointer,
  base64: true,
  schemes,
  own: "base64",
});
const anyWeb: ImageRule["schemes"] = ["http", "https"];

// Spec, Partner-a: relight takes base64 or a URL, the skin enhancer base64 or a public https URL.
const relight: PartnerOperation = {
  id: "relightImage",
  name: "image-relight",
  path: "/v1/ai/image-relight",
  status: 200,
  schema: { ...RelightRequest },
  images: [
    picture("/image", anyWeb),
    picture("/transfer_light_from_reference_image", anyWeb),
    picture("/transfer_light_from_lightmap", anyWeb),
  ],
  read: "image-relight",
  price: { usd: "0.10" },
  nodes: [{ name: "PartnerARelightNode" }],
};

// The operation in the OpenAPI document, and a node class that asks for it and for nothing else.
interface Named {
  readonly id: string;
  readonly node: string;
}

const skin = (mode: string, schema: object, usd: string, { id, node }: Named): PartnerOperation => ({
  id,
  name: `skin-enhancer/${mode}`,
  path: `/v1/ai/skin-enhancer/${mode}`,
  status: 200,
  schema: { ...schema },
  images: [picture("/image", ["https"])],
  read: "skin-enhancer",
  price: { usd },
  nodes: [{ name: "PartnerASkinEnhancerNode", when: { widget: "mode", is: mode } }, { name: node }],
});

export function partnerA({ baseUrl, ask }: PartnerLocation, offer: PartnerOffer = "contract"): PartnerDefinition {
  const further = offer === "further" ? furtherToolsOfA : none;
  return {
    ...common,
    partner: "partner-a",
    title: "Partner A",
    base_url: baseUrl,
    credential: { kind: "header", header: "X-Partner-A-Api-Key", setting: "ATELIER_PROVIDER_PARTNER_A_KEY" },
    task: { root: "/data", id: "/task_id", status: "/status" },
    states: {
      created: { shown: "CREATED", words: ["CREATED"] },
      running: { shown: "IN_PROGRESS", words: ["IN_PROGRESS"] },
      completed: { shown: "COMPLETED", words: ["COMPLETED"] },
      failed: { shown: "FAILED", words: ["FAILED"] },
    },
    result: "/generated",
    rejection: { message: "/message" },
    callback: signedCallback("ATELIER_PROVIDER_PARTNER_A_SECRET"),
    longest_run_seconds: 3_600,
    ...(ask ? { ask } : {}),
    view: {
      from: "object",
      members: {
        data: {
          from: "object",
          members: {
            task_id: { from: "id" },
            status: { from: "status" },
            generated: { from: "answer", pointer: "/generated", in: ["completed"], otherwise: [] },
          },
        },
      },
    },
    notice: "/data",
    operations: [
      relight,
      skin("flexible", SkinEnhancerFlexibleRequest, "0.10", {
        id: "enhanceSkinFlexible",
        node: "PartnerASkinEnhancerFlexibleNode",
      }),
      skin("creative", SkinEnhancerCreativeRequest, "0.10", {
        id: "enhanceSkinCreative",
        node: "PartnerASkinEnhancerCreativeNode",
      }),
      skin("faithful", SkinEnhancerFaithfulRequest, "0.12", {
        id: "enhanceSkinFaithful",
        node: "PartnerASkinEnhancerFaithfulNode",
      }),
      ...further.operations,
    ],
    reads: [
      { id: "getRelightTask", name: "image-relight", path: "/v1/ai/image-relight/{task_id}" },
      { id: "getSkinEnhancerTask", name: "skin-enhancer", path: "/v1/ai/skin-enhancer/{task_id}" },
      ...further.reads,
    ],
  };
}

const frame = (pointer: string): ImageRule => ({ pointer, base64: false, schemes: anyWeb, own: "data_url" });

const video = (name: string, schema: object, { id, node }: Named): PartnerOperation => ({
  id,
  name,
  path: `/prompts/${name}`,
  status: 201,
  schema: { ...schema },
  images: [frame("/image_url"), frame("/keyframes/*/image_url")],
  read: "prompts",
  price: {
    usd: {
      kind: "per_count",
      count: { from: "/inference_params/num_frames", widget: "num_frames", default: 64, least: 1, most: 128 },
      each: "0.01",
    },
  },
  nodes: [{ name: node }],
});

export function partnerB({ baseUrl, ask }: PartnerLocation, offer: PartnerOffer = "contract"): PartnerDefinition {
  const further = offer === "further" ? furtherToolsOfB : none;
  return {
    ...common,
    partner: "partner-b",
    title: "Partner B",
    base_url: baseUrl,
    credential: { kind: "bearer", setting: "ATELIER_PROVIDER_PARTNER_B_KEY" },
    task: { root: "", id: "/id", status: "/status", error_code: "/error/code", error_message: "/error/message" },
    states: {
      created: { shown: "pending", words: ["pending"] },
      running: { shown: "processing", words: ["processing"] },
      completed: { shown: "completed", words: ["completed"] },
      failed: { shown: "error", words: ["error", "failed"] },
    },
    result: "/output_url",
    rejection: { message: "/error/message" },
    callback: signedCallback("ATELIER_PROVIDER_PARTNER_B_SECRET"),
    longest_run_seconds: 7_200,
    ...(ask ? { ask } : {}),
    view: promptView(offer === "further" ? furtherConditioning : {}),
    notice: "",
    operations: [
      video("text-to-video", TextToVideoRequest, { id: "createTextToVideoPrompt", node: "PartnerBTextToVideoNode" }),
      video("image-to-video", ImageToVideoRequest, {
        id: "createImageToVideoPrompt",
        node: "PartnerBImageToVideoNode",
      }),
      ...further.operations,
    ],
    reads: [{ id: "getPrompt", name: "prompts", path: "/prompts/{prompt_id}" }],
  };
}

// What the caller sent is shown as it was sent, whatever of it the partner got in another form.
const promptView = (conditioning: typeof furtherConditioning): PartnerDefinition["view"] => ({
  from: "object",
  members: {
    id: { from: "id" },
    status: { from: "status" },
    prompt_text: { from: "request", pointer: "/prompt_text", otherwise: "" },
    output_url: { from: "answer", pointer: "/output_url", in: ["completed"] },
    error: {
      from: "object",
      in: ["failed"],
      members: { code: { from: "error", part: "code" }, message: { from: "error", part: "message" } },
    },
    frame_conditioning: {
      from: "object",
      members: {
        image_url: { from: "request", pointer: "/image_url" },
        keyframes: { from: "request", pointer: "/keyframes" },
        ...conditioning,
      },
    },
    inference_params: {
      from: "answer",
      pointer: "/inference_params",
      or_request: "/inference_params",
      otherwise: {},
    },
    model_params: {
      from: "object",
      members: { model: { from: "answer", pointer: "/model_params/model", otherwise: "video" } },
    },
    meta: {
      from: "object",
      members: {
        created_at: { from: "time", of: "created" },
        completed_at: { from: "time", of: "ended" },
        duration_s: { from: "duration" },
      },
    },
  },
});

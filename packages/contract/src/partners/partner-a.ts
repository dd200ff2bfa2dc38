// Partner-a: image tools that start a task and report its state. Defaults and ranges: decisions, section 4.
// Unknown members pass through to the partner; the schemas say what we refuse.
import { type TSchemaOptions, Type } from "typebox";
import { limits } from "../limits.ts";
import { entity, partnerTaskEvent, Uuid, webhookUrl, wordOf } from "../wire-values.ts";

const percent = (options: TSchemaOptions) =>
  Type.Optional(Type.Integer({ minimum: limits.percentMin, maximum: limits.percentMax, ...options }));
const tone = (description: string) =>
  Type.Optional(Type.Number({ minimum: limits.percentMin, maximum: limits.percentMax, default: 50, description }));
const flag = (value: boolean, description: string) => Type.Optional(Type.Boolean({ default: value, description }));

const taskWebhookUrl = Type.Optional(
  webhookUrl("Called on every status change of the task. Must be https on port 443."),
);

export const RelightSettings = entity("RelightSettings", "Advanced relighting settings.", {
  whites: tone("White level."),
  blacks: tone("Black level."),
  brightness: tone("Brightness."),
  contrast: tone("Contrast."),
  saturation: tone("Saturation."),
  engine: Type.Optional(
    wordOf(["automatic", "balanced", "cool", "real", "illusio", "fairy", "colorful_anime", "hard_transform", "softy"], {
      default: "automatic",
      description: "The partner's engine to use.",
    }),
  ),
  transfer_light_a: Type.Optional(
    wordOf(["automatic", "low", "medium", "normal", "high", "high_on_faces"], {
      default: "automatic",
      description: "How strongly the light is transferred.",
    }),
  ),
  transfer_light_b: Type.Optional(
    wordOf(
      [
        "automatic",
        "composition",
        "straight",
        "smooth_in",
        "smooth_out",
        "smooth_both",
        "reverse_both",
        "soft_in",
        "soft_out",
        "soft_mid",
        "strong_mid",
        "style_shift",
        "strong_shift",
      ],
      { default: "automatic", description: "The curve used to transfer the light." },
    ),
  ),
  fixed_generation: flag(false, "The same settings give the same result."),
});

export const RelightRequest = entity(
  "RelightRequest",
  "An image and how to relight it.",
  {
    image: Type.String({ minLength: 1, description: "The image to relight: base64 or an http(s) URL." }),
    prompt: Type.Optional(
      Type.String({ description: "Guides the light. (phrase:1.3) emphasises a phrase by a factor from 1 to 1.4." }),
    ),
    transfer_light_from_reference_image: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Takes the light from this image (base64 or URL); cannot be combined with a lightmap.",
      }),
    ),
    transfer_light_from_lightmap: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Takes the light from this map (base64 or URL); cannot be combined with a reference image.",
      }),
    ),
    light_transfer_strength: percent({
      default: 100,
      description: "0 stays closest to the original, 100 transfers all the light.",
    }),
    interpolate_from_original: flag(false, "Blends the result with the original according to the strength."),
    change_background: flag(true, "Lets the prompt or reference image change the background."),
    style: Type.Optional(
      wordOf(
        ["standard", "darker_but_realistic", "clean", "smooth", "brighter", "contrasted_n_hdr", "just_composition"],
        { default: "standard", description: "The style of the result." },
      ),
    ),
    preserve_details: flag(true, "Keeps texture and fine details."),
    advanced_settings: Type.Optional(RelightSettings),
    webhook_url: taskWebhookUrl,
  },
  { not: { required: ["transfer_light_from_reference_image", "transfer_light_from_lightmap"] } },
);

const skinFields = {
  image: Type.String({ minLength: 1, description: "The portrait: base64 or a public https URL." }),
  sharpen: percent({ default: 0, description: "How much to sharpen the result." }),
  smart_grain: percent({ default: 2, description: "How much grain to add." }),
  webhook_url: taskWebhookUrl,
};

export const SkinEnhancerFlexibleRequest = entity(
  "SkinEnhancerFlexibleRequest",
  "A portrait to enhance in flexible mode.",
  {
    ...skinFields,
    optimized_for: Type.Optional(
      wordOf(["enhance_skin", "improve_lighting", "enhance_everything", "transform_to_real", "no_make_up"], {
        default: "enhance_skin",
        description: "What the enhancer optimises for.",
      }),
    ),
  },
);

export const SkinEnhancerCreativeRequest = entity(
  "SkinEnhancerCreativeRequest",
  "A portrait to enhance in creative mode.",
  skinFields,
);

export const SkinEnhancerFaithfulRequest = entity(
  "SkinEnhancerFaithfulRequest",
  "A portrait to enhance in faithful mode.",
  { ...skinFields, skin_detail: percent({ default: 80, description: "How much skin detail to keep." }) },
);

// CREATED → IN_PROGRESS → COMPLETED | FAILED. A task may skip states forward; once ended it never changes.
export const PartnerATaskStatus = wordOf(["CREATED", "IN_PROGRESS", "COMPLETED", "FAILED"], {
  title: "PartnerATaskStatus",
  description: "The task's status.",
});

const taskFields = {
  task_id: Uuid,
  status: PartnerATaskStatus,
  generated: Type.Array(Type.String(), { description: "URLs or data of the results. Empty until COMPLETED." }),
};

export const PartnerATaskResult = entity("PartnerATaskResult", "A task at partner-a: created, running or ended.", {
  data: Type.Object(taskFields),
});

export const PartnerATaskNotification = entity(
  "PartnerATaskNotification",
  "What webhook_url receives: the task without its data wrapper.",
  {
    ...taskFields,
    sequence: Type.Integer({ minimum: 1, description: "Rises with every status change." }),
    type: partnerTaskEvent,
  },
);
